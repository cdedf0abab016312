ALTER TABLE "mailings" ADD COLUMN "frozen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "accepted_errors" jsonb;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "not_sent" jsonb;--> statement-breakpoint
CREATE INDEX "mailings_alerts_idx" ON "mailings" USING btree ("updated_at" DESC NULLS LAST) WHERE not_sent is not null or status = 'paused';--> statement-breakpoint
-- What is prepared already was frozen then.
UPDATE "mailings" SET "frozen_at" = "prepared_at" WHERE "prepared_at" IS NOT NULL;--> statement-breakpoint
-- Drafts that could not be prepared say so in the new place.
UPDATE "mailings" SET "pause_reason" = NULL, "not_sent" = jsonb_build_object(
  'reason', CASE "pause_reason" WHEN 'postal_address' THEN 'postalAddress' ELSE 'unpublished' END,
  'errors', '[]'::jsonb, 'scheduledAt', NULL,
  'at', to_char("updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
WHERE "status" = 'draft' AND "pause_reason" IN ('content', 'postal_address');
