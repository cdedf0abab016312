CREATE TABLE "reader_visits" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"previous_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reader_visits" ADD CONSTRAINT "reader_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "issues_published_at_idx" ON "issues" USING btree ("published_at");