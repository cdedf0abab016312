CREATE TABLE "content_items" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"parent_id" text,
	"published_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"text_hash" text,
	"checked_on" date,
	"valid_until" date,
	CONSTRAINT "content_items_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE INDEX "content_items_parent_id_kind_idx" ON "content_items" USING btree ("parent_id","kind");--> statement-breakpoint
-- Content that is published by now. The next start computes the hashes, which leaves the versions at 1.
INSERT INTO "content_items" ("kind", "id", "title", "path", "parent_id", "published_at", "changed_at", "checked_on")
SELECT 'issue', "id", "title", '/portal/weekly-drops/' || "slug", NULL, "published_at", "published_at", "checked_on" FROM "issues" WHERE "published_at" IS NOT NULL
UNION ALL
SELECT 'section', s."id", s."heading", '/portal/weekly-drops/' || i."slug" || '#' || regexp_replace(s."id", '^.*--', ''), i."id", i."published_at", i."published_at", i."checked_on" FROM "issue_sections" s JOIN "issues" i ON i."id" = s."issue_id" WHERE i."published_at" IS NOT NULL
UNION ALL
SELECT 'prompt', p."id", p."title", '/portal/prompt-packs#' || p."id", c."id", c."published_at", c."published_at", c."checked_on" FROM "prompts" p JOIN "prompt_categories" c ON c."id" = p."category_id" WHERE c."published_at" IS NOT NULL
UNION ALL
SELECT 'guide', "id", "title", '/portal/guides#' || "id", NULL, "published_at", "published_at", "checked_on" FROM "guides" WHERE "published_at" IS NOT NULL
UNION ALL
SELECT 'tool', "id", "name", '/portal/tools#' || "id", NULL, "published_at", "published_at", "checked_on" FROM "tools" WHERE "published_at" IS NOT NULL;
