DROP INDEX "auth"."one_time_tokens_user_id_token_type_key";--> statement-breakpoint
ALTER TABLE "auth"."flow_state" ADD COLUMN "link_token_hash" text;--> statement-breakpoint
ALTER TABLE "auth"."flow_state" ADD COLUMN "one_time_token_id" uuid;--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "encrypted_password" varchar(255);--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "raw_user_meta_data" jsonb;--> statement-breakpoint
ALTER TABLE "auth"."users" ADD COLUMN "made_by_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "flow_state_link_token_hash_idx" ON "auth"."flow_state" USING btree ("link_token_hash");--> statement-breakpoint
CREATE INDEX "flow_state_one_time_token_id_idx" ON "auth"."flow_state" USING btree ("one_time_token_id");--> statement-breakpoint
CREATE INDEX "flow_state_user_id_idx" ON "auth"."flow_state" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "one_time_tokens_user_id_idx" ON "auth"."one_time_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_time_tokens_user_id_token_type_key" ON "auth"."one_time_tokens" USING btree ("user_id","token_type") WHERE encrypted_password is null;--> statement-breakpoint
-- Accounts that an operator made and nobody has signed up with: what they hold before their address is confirmed is the operator's.
UPDATE "auth"."users" AS u SET "made_by_operator" = true WHERE u."email_confirmed_at" IS NULL AND EXISTS (SELECT FROM "auth"."audit_log_entries" a WHERE a."payload" ->> 'user_id' = u."id"::text AND a."payload" ->> 'action' IN ('user_created', 'user_invited')) AND NOT EXISTS (SELECT FROM "auth"."audit_log_entries" a WHERE a."payload" ->> 'user_id' = u."id"::text AND a."payload" ->> 'action' = 'signed_up');
