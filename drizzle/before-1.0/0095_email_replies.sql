CREATE TABLE "email_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"mailing_id" uuid NOT NULL,
	"issue_id" text,
	"text" text NOT NULL,
	"is_shortened" boolean NOT NULL,
	"attachments" text[] NOT NULL,
	"has_token" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_replies_message_hash_unique" UNIQUE("message_hash")
);
--> statement-breakpoint
CREATE TABLE "reply_mailbox" (
	"address" text PRIMARY KEY NOT NULL,
	"uid_validity" text NOT NULL,
	"last_uid" bigint NOT NULL,
	"automatic" integer DEFAULT 0 NOT NULL,
	"others" integer DEFAULT 0 NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_replies" ADD CONSTRAINT "email_replies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_replies_at_idx" ON "email_replies" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "email_replies_issue_id_idx" ON "email_replies" USING btree ("issue_id");--> statement-breakpoint
CREATE INDEX "email_replies_user_id_idx" ON "email_replies" USING btree ("user_id");