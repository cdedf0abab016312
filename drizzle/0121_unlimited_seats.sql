ALTER TABLE "plan" DROP CONSTRAINT "plan_seats";--> statement-breakpoint
ALTER TABLE "team_seat" DROP CONSTRAINT "team_seat_number";--> statement-breakpoint
ALTER TABLE "plan" ADD CONSTRAINT "plan_seats" CHECK ("plan"."seats" between 1 and 500 or ("plan"."seats" = 10000 and not "plan"."per_seat"));--> statement-breakpoint
ALTER TABLE "team_seat" ADD CONSTRAINT "team_seat_number" CHECK ("team_seat"."seat" between 2 and 10000);