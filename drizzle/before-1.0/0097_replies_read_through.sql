ALTER TABLE "reply_mailbox" ADD COLUMN "read_through" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "email_replies_mailing_id_idx" ON "email_replies" USING btree ("mailing_id");