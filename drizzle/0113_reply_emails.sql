ALTER TABLE "email_preferences" ADD COLUMN "replies" text DEFAULT 'at-once' NOT NULL;--> statement-breakpoint
-- Replies of before aren't told.
ALTER TABLE "comment" ADD COLUMN "told_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "comment" ALTER COLUMN "told_at" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "comment_untold_idx" ON "comment" USING btree ("published_at") WHERE told_at is null and parent_id is not null and state = 'visible';