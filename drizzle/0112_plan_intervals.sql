ALTER TABLE "plan" DROP CONSTRAINT "plan_interval";--> statement-breakpoint
ALTER TABLE "plan" ADD COLUMN "interval_count" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "price_move" ADD COLUMN "interval_count" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "plan" ADD CONSTRAINT "plan_interval" CHECK ("plan"."interval" in ('day', 'week', 'month', 'year') and "plan"."interval_count" > 0);