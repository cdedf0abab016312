ALTER TABLE "complimentary_access" ADD COLUMN "granted_by_id" uuid;--> statement-breakpoint
-- An address may belong to someone else by now: an account that is younger than the grant did not make it.
UPDATE "complimentary_access" AS r SET "granted_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."granted_by") AND u."created_at" <= r."granted_at";--> statement-breakpoint
-- Email addresses give way to the name that the person gave.
DO $$
DECLARE
  edited record;
BEGIN
  FOR edited IN SELECT * FROM (VALUES
    ('content_document', 'updated_by'), ('content_schedule', 'created_by'), ('content_revision', 'created_by'),
    ('content_block', 'updated_by'), ('media_image', 'created_by'), ('guide_file', 'created_by'),
    ('mailings', 'created_by'), ('segments', 'created_by'), ('suppressions', 'created_by'),
    ('suppressions', 'lifted_by'), ('publication_settings', 'updated_by'), ('complimentary_access', 'granted_by')
  ) AS columns (table_name, column_name) LOOP
    EXECUTE format($sql$
      UPDATE public.%1$I AS r SET %2$I = coalesce(
        (SELECT left(given.name, 100) FROM auth.users u,
          trim(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name')) AS given (name)
          WHERE u.id = r.%3$I AND given.name <> '' AND given.name NOT LIKE '%%@%%'),
        CASE WHEN r.%3$I IS NULL THEN 'Former editor' ELSE 'Editor' END)
      WHERE r.%2$I IS NOT NULL$sql$, edited.table_name, edited.column_name, edited.column_name || '_id');
  END LOOP;
  UPDATE suppressions SET lifted_by = 'Member' WHERE lift_reason LIKE 'The member %' AND lifted_by IN ('Editor', 'Former editor');
END $$;
