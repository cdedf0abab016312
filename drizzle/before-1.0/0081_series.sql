CREATE TABLE "series" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"leaves_when" jsonb,
	"reentry_days" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"turned_on_at" timestamp with time zone,
	"scanned_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "series_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "series_entry" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"series_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"round" smallint DEFAULT 1 NOT NULL,
	"entered_at" timestamp with time zone NOT NULL,
	"step_id" uuid,
	"due_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"end_reason" text
);
--> statement-breakpoint
CREATE TABLE "series_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "series_mailing" (
	"mailing_id" uuid PRIMARY KEY NOT NULL,
	"series_id" uuid NOT NULL,
	"step_id" uuid NOT NULL,
	"round" smallint NOT NULL,
	"content_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "series_step_result" (
	"entry_id" bigint NOT NULL,
	"step_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "series_step_result_entry_id_step_id_pk" PRIMARY KEY("entry_id","step_id")
);
--> statement-breakpoint
ALTER TABLE "series_entry" ADD CONSTRAINT "series_entry_series_id_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_entry" ADD CONSTRAINT "series_entry_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_event" ADD CONSTRAINT "series_event_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_mailing" ADD CONSTRAINT "series_mailing_series_id_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_step_result" ADD CONSTRAINT "series_step_result_entry_id_series_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."series_entry"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "series_entry_series_id_user_id_round_key" ON "series_entry" USING btree ("series_id","user_id","round");--> statement-breakpoint
CREATE INDEX "series_entry_due_idx" ON "series_entry" USING btree ("series_id","due_at","id") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "series_entry_waiting_idx" ON "series_entry" USING btree ("series_id","step_id","id") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "series_entry_ended_idx" ON "series_entry" USING btree ("series_id","end_reason","step_id","id") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "series_entry_user_id_idx" ON "series_entry" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "series_event_user_id_idx" ON "series_event" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "series_mailing_series_id_step_id_idx" ON "series_mailing" USING btree ("series_id","step_id");--> statement-breakpoint
CREATE INDEX "series_step_result_step_idx" ON "series_step_result" USING btree ("step_id","outcome","entry_id");--> statement-breakpoint
-- A mailing of a series is sent to a few members at a time, each time they are due.
CREATE OR REPLACE FUNCTION emit_mailing_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'sent' AND OLD.status <> 'sent' AND NEW.kind NOT IN ('follow-up', 'series') THEN
    PERFORM public.emit_webhook_event('mailing.sent', NEW.id::text);
  END IF;
  RETURN NULL;
END $$;
