CREATE TABLE "assignment_notice" (
	"assignment_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"handled_at" timestamp with time zone,
	"sent" boolean DEFAULT false NOT NULL,
	CONSTRAINT "assignment_notice_assignment_id_user_id_pk" PRIMARY KEY("assignment_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "assignment_reminder" (
	"assignment_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"due_on" date NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "assignment_reminder_assignment_id_user_id_kind_due_on_pk" PRIMARY KEY("assignment_id","user_id","kind","due_on")
);
--> statement-breakpoint
CREATE TABLE "assignment_summary" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"week_of" date NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_preferences" ADD COLUMN "assignments" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "email_preferences" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "assignment_notice" ADD CONSTRAINT "assignment_notice_assignment_id_team_assignment_id_fk" FOREIGN KEY ("assignment_id") REFERENCES "public"."team_assignment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_notice" ADD CONSTRAINT "assignment_notice_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_reminder" ADD CONSTRAINT "assignment_reminder_assignment_id_team_assignment_id_fk" FOREIGN KEY ("assignment_id") REFERENCES "public"."team_assignment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_reminder" ADD CONSTRAINT "assignment_reminder_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assignment_summary" ADD CONSTRAINT "assignment_summary_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assignment_notice_user_id_idx" ON "assignment_notice" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "assignment_notice_waiting_idx" ON "assignment_notice" USING btree ("created_at") WHERE handled_at is null;--> statement-breakpoint
CREATE INDEX "assignment_reminder_user_id_idx" ON "assignment_reminder" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "team_assignment_due_on_idx" ON "team_assignment" USING btree ("due_on") WHERE not done and not removed;