ALTER TABLE "email_preferences" ADD COLUMN "drop_time" text DEFAULT 'usual' NOT NULL;--> statement-breakpoint
ALTER TABLE "email_preferences" ADD COLUMN "usual_hour" smallint;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "reader_hours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "deliveries_send_at_idx" ON "deliveries" USING btree ("mailing_id","send_at","id") WHERE send_at is not null and status = 'pending';