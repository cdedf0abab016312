CREATE TABLE "account_emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"status" text NOT NULL,
	"problem" text,
	"asked_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "account_emails_email_asked_at_idx" ON "account_emails" USING btree ("email","asked_at","id");--> statement-breakpoint
CREATE INDEX "account_emails_asked_at_idx" ON "account_emails" USING btree ("asked_at");