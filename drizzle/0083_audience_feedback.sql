ALTER TABLE "deliveries" ADD COLUMN "subject_index" smallint;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "subject_test" jsonb;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "subject_test_result" jsonb;--> statement-breakpoint
CREATE INDEX "deliveries_subject_idx" ON "deliveries" USING btree ("mailing_id","subject_index") WHERE subject_index is not null;--> statement-breakpoint
CREATE INDEX "deliveries_test_open_idx" ON "deliveries" USING btree ("mailing_id","id") WHERE subject_index is not null and status in ('pending', 'sending');