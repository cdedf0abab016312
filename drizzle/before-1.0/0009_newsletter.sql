CREATE TABLE "deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"mailing_id" uuid NOT NULL,
	"issue_id" text,
	"user_id" uuid NOT NULL,
	"email" text,
	"domain" text NOT NULL,
	"reader" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"cause" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"not_before" timestamp with time zone,
	"sender_id" uuid,
	"response" text,
	"changed_at" timestamp with time zone,
	"bounced_at" timestamp with time zone,
	"bounce_kind" text,
	"complained_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"clicked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "mail_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"type" text NOT NULL,
	"delivery_id" bigint,
	"email" text,
	"detail" text,
	"robot" boolean DEFAULT false NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"drops" text DEFAULT 'weekly' NOT NULL,
	"news" boolean DEFAULT true NOT NULL,
	"counted" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mailing_counts" (
	"mailing_id" uuid NOT NULL,
	"name" text NOT NULL,
	"cause" text DEFAULT '' NOT NULL,
	"value" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "mailing_counts_mailing_id_name_cause_pk" PRIMARY KEY("mailing_id","name","cause")
);
--> statement-breakpoint
CREATE TABLE "mailings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"issue_id" text,
	"subject" text NOT NULL,
	"preheader" text NOT NULL,
	"status" text NOT NULL,
	"audience" jsonb NOT NULL,
	"content" jsonb,
	"pace" jsonb,
	"scheduled_at" timestamp with time zone,
	"prepared_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"pause_reason" text,
	"tracked" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "publication_settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text
);
--> statement-breakpoint
CREATE TABLE "segment_members" (
	"segment_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "segment_members_segment_id_user_id_pk" PRIMARY KEY("segment_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "segments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	CONSTRAINT "segments_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "senders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sending_pace" (
	"domain" text NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sending_pace_domain_minute_pk" PRIMARY KEY("domain","minute")
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"stream" text NOT NULL,
	"reason" text NOT NULL,
	"detail" text,
	"mailing_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"lifted_at" timestamp with time zone,
	"lifted_by" text,
	"lift_reason" text
);
--> statement-breakpoint
CREATE TABLE "content_block" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text
);
--> statement-breakpoint
CREATE TABLE "content_document" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"document" jsonb NOT NULL,
	"version" integer NOT NULL,
	"published_version" integer,
	"edited_here" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	CONSTRAINT "content_document_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "content_revision" (
	"revision" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"version" integer NOT NULL,
	"document" jsonb NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text
);
--> statement-breakpoint
CREATE TABLE "guide_file" (
	"guide_id" text NOT NULL,
	"version" integer NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	CONSTRAINT "guide_file_guide_id_version_pk" PRIMARY KEY("guide_id","version")
);
--> statement-breakpoint
CREATE TABLE "media_image" (
	"hash" text PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"bytes" integer NOT NULL,
	"original_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text
);
--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "published_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "file_version" integer;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "goals" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "franchise_types" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "published_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "prompt_categories" ADD COLUMN "published_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "published_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "tested_on" date;--> statement-breakpoint
ALTER TABLE "mail_preferences" ADD CONSTRAINT "mail_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_segment_id_segments_id_fk" FOREIGN KEY ("segment_id") REFERENCES "public"."segments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_user_id_mailing_id_key" ON "deliveries" USING btree ("user_id","mailing_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_user_id_issue_id_key" ON "deliveries" USING btree ("user_id","issue_id") WHERE issue_id is not null and status in ('pending', 'sending', 'submitted', 'unknown');--> statement-breakpoint
CREATE INDEX "deliveries_pending_idx" ON "deliveries" USING btree ("mailing_id","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_sending_idx" ON "deliveries" USING btree ("sender_id") WHERE status = 'sending';--> statement-breakpoint
CREATE INDEX "deliveries_list_idx" ON "deliveries" USING btree ("mailing_id","status","id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_events_source_external_id_key" ON "mail_events" USING btree ("source","external_id");--> statement-breakpoint
CREATE INDEX "mail_events_delivery_id_idx" ON "mail_events" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "mail_events_email_idx" ON "mail_events" USING btree ("email","occurred_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailings_created_at_idx" ON "mailings" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailings_open_idx" ON "mailings" USING btree ("status") WHERE status in ('scheduled', 'preparing', 'sending');--> statement-breakpoint
CREATE INDEX "segment_members_user_id_idx" ON "segment_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sending_pace_minute_idx" ON "sending_pace" USING btree ("minute");--> statement-breakpoint
CREATE UNIQUE INDEX "suppressions_live_key" ON "suppressions" USING btree ("email","stream") WHERE lifted_at is null;--> statement-breakpoint
CREATE INDEX "suppressions_created_at_idx" ON "suppressions" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "content_document_kind_updated_at_idx" ON "content_document" USING btree ("kind","updated_at");--> statement-breakpoint
CREATE INDEX "content_revision_kind_id_revision_idx" ON "content_revision" USING btree ("kind","id","revision" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "media_image_created_at_idx" ON "media_image" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
-- One update of a count a statement, however many deliveries it writes, in one order, so that two senders wait for each
-- other and never in a ring.
CREATE FUNCTION add_to_mailing_counts(changes mailing_counts[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO mailing_counts (mailing_id, name, cause, value)
    SELECT mailing_id, name, cause, sum(value) FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(value) <> 0
    ORDER BY 1, 2, 3
    ON CONFLICT (mailing_id, name, cause) DO UPDATE SET value = mailing_counts.value + excluded.value;
$$;
--> statement-breakpoint
CREATE FUNCTION count_prepared_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, status, coalesce(cause, ''), count(*))::mailing_counts
    FROM after_rows GROUP BY mailing_id, status, cause));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_changed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, name, cause, sum(difference))::mailing_counts FROM (
      SELECT mailing_id, status AS name, coalesce(cause, '') AS cause, 1 AS difference FROM after_rows
      UNION ALL SELECT mailing_id, status, coalesce(cause, ''), -1 FROM before_rows
      UNION ALL SELECT mailing_id, bounce_kind || '_bounces', '', 1 FROM after_rows WHERE bounce_kind IS NOT NULL
      UNION ALL SELECT mailing_id, bounce_kind || '_bounces', '', -1 FROM before_rows WHERE bounce_kind IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', 1 FROM after_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', -1 FROM before_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', 1 FROM after_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', -1 FROM before_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', 1 FROM after_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', -1 FROM before_rows WHERE clicked_at IS NOT NULL
    ) AS differences GROUP BY mailing_id, name, cause HAVING sum(difference) <> 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_counted_in AFTER INSERT ON deliveries
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_prepared_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_counted_again AFTER UPDATE ON deliveries
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_deliveries();
