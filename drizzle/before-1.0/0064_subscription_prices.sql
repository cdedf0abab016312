ALTER TABLE "subscription_state" ADD COLUMN "price_cents" bigint;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "price_currency" text;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "price_interval" text;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "price_interval_count" smallint;