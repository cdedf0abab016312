-- A weekly drop is an "issue" in code, tables and calls.
UPDATE "content_document" SET "kind" = 'issue' WHERE "kind" = 'drop';--> statement-breakpoint
UPDATE "content_revision" SET "kind" = 'issue' WHERE "kind" = 'drop';--> statement-breakpoint
UPDATE "content_schedule" SET "kind" = 'issue' WHERE "kind" = 'drop';--> statement-breakpoint
UPDATE "auth"."audit_log_entries" SET "payload" = jsonb_set("payload", '{object,kind}', '"issue"') WHERE "payload" -> 'object' ->> 'kind' = 'drop';--> statement-breakpoint
ALTER TABLE "content_document" RENAME COLUMN "edited_here" TO "edited_in_admin";--> statement-breakpoint
UPDATE "seed_state" SET "name" = 'custom-order:' || substr("name", length('order of ') + 1) WHERE "name" LIKE 'order of %';
