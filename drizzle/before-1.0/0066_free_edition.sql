ALTER TABLE "email_preferences" ADD COLUMN "free_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "email_preferences_free_idx" ON "email_preferences" USING btree ("user_id") WHERE free_since is not null;--> statement-breakpoint
-- Until now "free" meant everyone without a plan.
UPDATE "member_views" SET "filter" = jsonb_set("filter", '{statuses}', ("filter" -> 'statuses') || '["none"]'::jsonb) WHERE "filter" -> 'statuses' ? 'free';
