CREATE TABLE "member_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text NOT NULL,
	"created_by_id" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text NOT NULL,
	"updated_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "view_as_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"staff_session_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "member_notes" ADD CONSTRAINT "member_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_as_sessions" ADD CONSTRAINT "view_as_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_as_sessions" ADD CONSTRAINT "view_as_sessions_staff_id_users_id_fk" FOREIGN KEY ("staff_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_notes_user_id_created_at_idx" ON "member_notes" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "member_notes_created_by_id_idx" ON "member_notes" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "member_notes_updated_by_id_idx" ON "member_notes" USING btree ("updated_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "view_as_sessions_token_hash_key" ON "view_as_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "view_as_sessions_open_key" ON "view_as_sessions" USING btree ("staff_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "view_as_sessions_user_id_created_at_idx" ON "view_as_sessions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_entries_staff_idx" ON "auth"."audit_log_entries" USING btree ((payload ->> 'user_id'),"created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE payload ->> 'by' is not null;--> statement-breakpoint
CREATE INDEX "audit_log_entries_access_idx" ON "auth"."audit_log_entries" USING btree ((payload ->> 'user_id'),"created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE payload ->> 'action' in ('access_granted', 'access_revoked', 'team_joined', 'team_left', 'team_removed', 'account_disabled', 'account_enabled');--> statement-breakpoint
CREATE INDEX "stripe_event_customer_id_created_idx" ON "stripe_event" USING btree ("customer_id","created" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailings_started_at_idx" ON "mailings" USING btree ("started_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE started_at is not null;