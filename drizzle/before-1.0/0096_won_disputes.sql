ALTER TABLE "gift" ADD COLUMN "disputed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gift" ADD COLUMN "withdrawn_seconds" integer;--> statement-breakpoint
ALTER TABLE "gift" ADD COLUMN "won_dispute_id" text;--> statement-breakpoint
ALTER TABLE "referral" ADD COLUMN "disputes_read_at" timestamp with time zone;