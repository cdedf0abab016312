CREATE TABLE "first_week" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"start_page_at" timestamp with time zone,
	"dismissed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "first_week" ADD CONSTRAINT "first_week_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Members of before are past their first week.
INSERT INTO "first_week" ("user_id", "started_at")
	SELECT "id", "created_at" FROM "auth"."users" WHERE "id" IN (
		SELECT "user_id" FROM "subscription_state"
		UNION SELECT "user_id" FROM "team_seat"
		UNION SELECT "user_id" FROM "complimentary_access"
	);
