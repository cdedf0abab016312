CREATE TABLE "mailing_hours" (
	"mailing_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"value" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "mailing_hours_mailing_id_hour_name_pk" PRIMARY KEY("mailing_id","hour","name")
);
--> statement-breakpoint
CREATE TABLE "mailing_links" (
	"mailing_id" uuid NOT NULL,
	"url" text NOT NULL,
	"readers" bigint DEFAULT 0 NOT NULL,
	"bots" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "mailing_links_mailing_id_url_pk" PRIMARY KEY("mailing_id","url")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "unsubscribed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "deliveries_feedback_idx" ON "deliveries" USING btree ("mailing_id","id") WHERE bounce_type is not null or complained_at is not null or unsubscribed_at is not null;--> statement-breakpoint
CREATE INDEX "deliveries_clicked_idx" ON "deliveries" USING btree ("mailing_id","id") WHERE clicked_at is not null;--> statement-breakpoint
-- The counts of a statement's changes, then its hours: in one order, so that two senders wait for each other and never in
-- a ring.
CREATE FUNCTION add_to_mailing_hours(changes mailing_hours[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO mailing_hours (mailing_id, hour, name, value)
    SELECT mailing_id, hour, name, sum(value) FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(value) <> 0
    ORDER BY 1, 2, 3
    ON CONFLICT (mailing_id, hour, name) DO UPDATE SET value = mailing_hours.value + excluded.value;
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_inserted_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, status, coalesce(cause, ''), count(*))::mailing_counts
    FROM after_rows GROUP BY mailing_id, status, cause)
  || array(
    SELECT (mailing_id, 'delivered', '', count(*))::mailing_counts
    FROM after_rows WHERE status = 'submitted' AND bounce_type IS NULL GROUP BY mailing_id));
  PERFORM add_to_mailing_hours(array(
    SELECT (mailing_id, date_trunc('hour', changed_at, 'UTC'), 'submitted', count(*))::mailing_hours
    FROM after_rows WHERE status = 'submitted' AND changed_at IS NOT NULL
    GROUP BY mailing_id, date_trunc('hour', changed_at, 'UTC')));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_updated_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, name, cause, sum(difference))::mailing_counts FROM (
      SELECT mailing_id, status AS name, coalesce(cause, '') AS cause, 1 AS difference FROM after_rows
      UNION ALL SELECT mailing_id, status, coalesce(cause, ''), -1 FROM before_rows
      UNION ALL SELECT mailing_id, 'delivered', '', 1 FROM after_rows WHERE status = 'submitted' AND bounce_type IS NULL
      UNION ALL SELECT mailing_id, 'delivered', '', -1 FROM before_rows WHERE status = 'submitted' AND bounce_type IS NULL
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', 1 FROM after_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', -1 FROM before_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', 1 FROM after_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', -1 FROM before_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'unsubscribed', '', 1 FROM after_rows WHERE unsubscribed_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'unsubscribed', '', -1 FROM before_rows WHERE unsubscribed_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', 1 FROM after_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', -1 FROM before_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', 1 FROM after_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', -1 FROM before_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', 1 FROM after_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', -1 FROM before_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', 1 FROM after_rows WHERE bot_clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', -1 FROM before_rows WHERE bot_clicked_at IS NOT NULL
    ) AS differences GROUP BY mailing_id, name, cause HAVING sum(difference) <> 0));
  PERFORM add_to_mailing_hours(array(
    SELECT (mailing_id, date_trunc('hour', at, 'UTC'), name, sum(difference))::mailing_hours FROM (
      SELECT mailing_id, changed_at AS at, 'submitted' AS name, 1 AS difference FROM after_rows WHERE status = 'submitted'
      UNION ALL SELECT mailing_id, changed_at, 'submitted', -1 FROM before_rows WHERE status = 'submitted'
      UNION ALL SELECT mailing_id, opened_at, 'opened', 1 FROM after_rows
      UNION ALL SELECT mailing_id, opened_at, 'opened', -1 FROM before_rows
      UNION ALL SELECT mailing_id, clicked_at, 'clicked', 1 FROM after_rows
      UNION ALL SELECT mailing_id, clicked_at, 'clicked', -1 FROM before_rows
      UNION ALL SELECT mailing_id, unsubscribed_at, 'unsubscribed', 1 FROM after_rows
      UNION ALL SELECT mailing_id, unsubscribed_at, 'unsubscribed', -1 FROM before_rows
    ) AS differences WHERE at IS NOT NULL
    GROUP BY mailing_id, date_trunc('hour', at, 'UTC'), name HAVING sum(difference) <> 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION add_to_mailing_links(changes mailing_links[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO mailing_links (mailing_id, url, readers, bots)
    SELECT mailing_id, url, sum(readers), sum(bots) FROM unnest(changes) GROUP BY 1, 2
    HAVING sum(readers) <> 0 OR sum(bots) <> 0 ORDER BY 1, 2
    ON CONFLICT (mailing_id, url) DO UPDATE
      SET readers = mailing_links.readers + excluded.readers, bots = mailing_links.bots + excluded.bots;
$$;
--> statement-breakpoint
CREATE FUNCTION count_inserted_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_links(array(
    SELECT (d.mailing_id, e.detail, count(*) FILTER (WHERE NOT e.is_bot), count(*) FILTER (WHERE e.is_bot))::mailing_links
    FROM after_rows e JOIN deliveries d ON d.id = e.delivery_id
    WHERE e.type = 'clicked' AND e.detail IS NOT NULL GROUP BY d.mailing_id, e.detail));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_updated_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_links(array(
    SELECT (d.mailing_id, e.detail, coalesce(sum(e.difference) FILTER (WHERE NOT e.is_bot), 0),
      coalesce(sum(e.difference) FILTER (WHERE e.is_bot), 0))::mailing_links
    FROM (
      SELECT delivery_id, detail, is_bot, 1 AS difference FROM after_rows WHERE type = 'clicked'
      UNION ALL SELECT delivery_id, detail, is_bot, -1 FROM before_rows WHERE type = 'clicked'
    ) e JOIN deliveries d ON d.id = e.delivery_id
    WHERE e.detail IS NOT NULL GROUP BY d.mailing_id, e.detail));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER email_events_count_inserted AFTER INSERT ON email_events
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_email_events();
--> statement-breakpoint
CREATE TRIGGER email_events_count_updated AFTER UPDATE ON email_events
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_email_events();
--> statement-breakpoint
INSERT INTO mailing_counts (mailing_id, name, value)
  SELECT mailing_id, 'delivered', count(*) FROM deliveries WHERE status = 'submitted' AND bounce_type IS NULL GROUP BY 1;
--> statement-breakpoint
INSERT INTO mailing_hours (mailing_id, hour, name, value)
  SELECT mailing_id, date_trunc('hour', at, 'UTC'), name, count(*) FROM (
    SELECT mailing_id, changed_at AS at, 'submitted' AS name FROM deliveries WHERE status = 'submitted'
    UNION ALL SELECT mailing_id, opened_at, 'opened' FROM deliveries
    UNION ALL SELECT mailing_id, clicked_at, 'clicked' FROM deliveries
  ) AS past WHERE at IS NOT NULL GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO mailing_links (mailing_id, url, readers, bots)
  SELECT d.mailing_id, e.detail, count(*) FILTER (WHERE NOT e.is_bot), count(*) FILTER (WHERE e.is_bot)
  FROM email_events e JOIN deliveries d ON d.id = e.delivery_id
  WHERE e.type = 'clicked' AND e.detail IS NOT NULL GROUP BY 1, 2;
