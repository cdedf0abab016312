-- Sections of the content files were numbered within their drop ("section-1"). A section id is now unique across drops.
UPDATE "content_document" SET "document" = jsonb_set("document", '{sections}', (
	SELECT coalesce(jsonb_agg(CASE WHEN "section" ->> 'id' ~ '^section-[0-9]+$'
		THEN jsonb_set("section", '{id}', to_jsonb("content_document"."id" || '--' || ("section" ->> 'id'))) ELSE "section" END ORDER BY "n"), '[]')
	FROM jsonb_array_elements("document" -> 'sections') WITH ORDINALITY AS "each"("section", "n")
)) WHERE "kind" = 'drop' AND jsonb_typeof("document" -> 'sections') = 'array';--> statement-breakpoint
UPDATE "content_revision" SET "document" = jsonb_set("document", '{sections}', (
	SELECT coalesce(jsonb_agg(CASE WHEN "section" ->> 'id' ~ '^section-[0-9]+$'
		THEN jsonb_set("section", '{id}', to_jsonb("content_revision"."id" || '--' || ("section" ->> 'id'))) ELSE "section" END ORDER BY "n"), '[]')
	FROM jsonb_array_elements("document" -> 'sections') WITH ORDINALITY AS "each"("section", "n")
)) WHERE "kind" = 'drop' AND jsonb_typeof("document" -> 'sections') = 'array';--> statement-breakpoint
UPDATE "content_schedule" SET "document" = jsonb_set("document", '{sections}', (
	SELECT coalesce(jsonb_agg(CASE WHEN "section" ->> 'id' ~ '^section-[0-9]+$'
		THEN jsonb_set("section", '{id}', to_jsonb("content_schedule"."id" || '--' || ("section" ->> 'id'))) ELSE "section" END ORDER BY "n"), '[]')
	FROM jsonb_array_elements("document" -> 'sections') WITH ORDINALITY AS "each"("section", "n")
)) WHERE "kind" = 'drop' AND jsonb_typeof("document" -> 'sections') = 'array';--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "id" text;--> statement-breakpoint
-- Published sections get the ids of the version that was published: the newest text may be ahead of it.
UPDATE "issue_sections" SET "id" = "published"."document" -> 'sections' -> ("issue_sections"."position" - 1) ->> 'id'
FROM (
	SELECT "issues"."id" AS "issue_id", coalesce((
		SELECT "r"."document" FROM "content_revision" "r"
		WHERE "r"."kind" = 'drop' AND "r"."id" = "issues"."id"
			AND ("r"."version" = "d"."published_version" OR ("d"."published_version" IS NULL AND "r"."reason" = 'published'))
		ORDER BY "r"."revision" DESC LIMIT 1
	), "d"."document") AS "document"
	FROM "issues" JOIN "content_document" "d" ON "d"."kind" = 'drop' AND "d"."id" = "issues"."id"
) AS "published" WHERE "published"."issue_id" = "issue_sections"."issue_id";--> statement-breakpoint
UPDATE "issue_sections" SET "id" = gen_random_uuid()::text WHERE "id" IS NULL OR EXISTS (
	SELECT 1 FROM "issue_sections" "other" WHERE "other"."id" = "issue_sections"."id"
		AND ("other"."issue_id", "other"."position") < ("issue_sections"."issue_id", "issue_sections"."position")
);--> statement-breakpoint
ALTER TABLE "issue_sections" DROP CONSTRAINT "issue_sections_issue_id_position_pk";--> statement-breakpoint
ALTER TABLE "issue_sections" ADD PRIMARY KEY ("id");--> statement-breakpoint
CREATE INDEX "issue_sections_issue_id_position_idx" ON "issue_sections" USING btree ("issue_id","position");
