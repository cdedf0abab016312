CREATE TABLE "custom_field" (
	"id" integer PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"help" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"asked" text NOT NULL,
	"required" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"retired_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	"updated_by_id" uuid,
	CONSTRAINT "custom_field_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "custom_field_values" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"values" jsonb NOT NULL,
	"tokens" text[] NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- For the index, which is made again with one more column.
SELECT set_config('maintenance_work_mem', '256MB', true);--> statement-breakpoint
DROP INDEX "member_facts_tokens_idx";--> statement-breakpoint
ALTER TABLE "member_facts" ADD COLUMN "field_tokens" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_field_values" ADD CONSTRAINT "custom_field_values_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_facts_filter_idx" ON "member_facts" USING gin ("tokens","search" gin_trgm_ops,"field_tokens") WITH (fastupdate=false);--> statement-breakpoint
CREATE FUNCTION member_facts_of_field_values() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE member_facts f SET field_tokens = '{}' FROM before_rows v
    WHERE f.user_id = v.user_id AND f.field_tokens <> '{}';
  ELSE
    UPDATE member_facts f SET field_tokens = v.tokens FROM after_rows v
    WHERE f.user_id = v.user_id AND f.field_tokens <> v.tokens;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER field_values_facts_in AFTER INSERT ON custom_field_values
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_field_values();
--> statement-breakpoint
CREATE TRIGGER field_values_facts_again AFTER UPDATE ON custom_field_values
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_field_values();
--> statement-breakpoint
CREATE TRIGGER field_values_facts_out AFTER DELETE ON custom_field_values
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_field_values();
--> statement-breakpoint
CREATE TRIGGER webhook_member_field_values AFTER INSERT OR UPDATE OR DELETE ON custom_field_values
  FOR EACH ROW EXECUTE FUNCTION emit_tag_event();
--> statement-breakpoint
-- As before, and with the values of an account that is no longer deleted.
CREATE OR REPLACE FUNCTION add_member_facts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO member_facts (user_id, created_at, joined_micros, search, email_confirmed, disabled_until, last_signed_in_at,
    plan_status, product_id, plan_until, renews_at, seat_product_id, seat_until, complimentary_until, answers,
    franchise_type, locations, tags, suppressed, field_tokens)
  SELECT c.*, coalesce((SELECT v.tokens FROM custom_field_values v WHERE v.user_id = c.user_id), '{}')
  FROM current_member_facts(ids) c ON CONFLICT DO NOTHING
$$;
