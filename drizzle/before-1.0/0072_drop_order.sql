DROP INDEX "issues_date_idx";--> statement-breakpoint
CREATE INDEX "issues_date_id_idx" ON "issues" USING btree ("date" DESC NULLS FIRST,"id") WHERE published_at is not null;