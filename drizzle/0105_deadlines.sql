CREATE TABLE "deadline" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"location_id" uuid,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"due_on" date NOT NULL,
	"lead_days" smallint NOT NULL,
	"yearly" boolean NOT NULL,
	"done" boolean NOT NULL,
	"remind_on" date,
	"revision" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deadline" ADD CONSTRAINT "deadline_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deadline" ADD CONSTRAINT "deadline_location_id_business_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."business_location"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deadline_user_id_due_on_idx" ON "deadline" USING btree ("user_id","due_on");--> statement-breakpoint
CREATE INDEX "deadline_location_id_idx" ON "deadline" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "deadline_remind_on_idx" ON "deadline" USING btree ("remind_on") WHERE not done;