ALTER TABLE "bulk_actions" ADD COLUMN "undone_by" text;--> statement-breakpoint
ALTER TABLE "bulk_actions" ADD COLUMN "undone_by_id" uuid;