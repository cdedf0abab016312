CREATE INDEX "subscription_state_unpaid_idx" ON "subscription_state" USING btree ("unpaid_since" DESC NULLS LAST) WHERE status in ('past_due', 'unpaid');--> statement-breakpoint
-- Readers who turned the drops off in the last weeks, as far as it is known.
INSERT INTO "counters" ("name", "bucket", "value") SELECT 'unsubscribes', date_trunc('day', "updated_at", 'UTC'), count(*) FROM "email_preferences" WHERE "drops" = 'off' AND "updated_at" >= now() - interval '90 days' GROUP BY 2 ON CONFLICT ("name", "bucket") DO NOTHING;
