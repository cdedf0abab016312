ALTER TABLE "plan" DROP CONSTRAINT "plan_seats";--> statement-breakpoint
ALTER TABLE "team_seat" DROP CONSTRAINT "team_seat_number";--> statement-breakpoint
ALTER TABLE "plan" ADD COLUMN "per_seat" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "seats_after_renewal" integer;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "seats_paid" integer;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "seats_change_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "subscription_state_seats_change_at_idx" ON "subscription_state" USING btree ("seats_change_at") WHERE seats_change_at is not null;--> statement-breakpoint
ALTER TABLE "plan" ADD CONSTRAINT "plan_seats" CHECK ("plan"."seats" between 1 and 500);--> statement-breakpoint
ALTER TABLE "team_seat" ADD CONSTRAINT "team_seat_number" CHECK ("team_seat"."seat" between 2 and 500);