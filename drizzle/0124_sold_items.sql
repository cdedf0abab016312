ALTER TABLE "purchase" ADD COLUMN "item_kind" text;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "item_id" text;--> statement-breakpoint
ALTER TABLE "purchase" ADD COLUMN "item_title" text;