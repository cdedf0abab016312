ALTER TABLE "deliveries" ADD COLUMN "robot_opened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "robot_clicked_at" timestamp with time zone;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_changed_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
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
      UNION ALL SELECT mailing_id, 'robot_opened', '', 1 FROM after_rows WHERE robot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'robot_opened', '', -1 FROM before_rows WHERE robot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'robot_clicked', '', 1 FROM after_rows WHERE robot_clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'robot_clicked', '', -1 FROM before_rows WHERE robot_clicked_at IS NOT NULL
    ) AS differences GROUP BY mailing_id, name, cause HAVING sum(difference) <> 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What was noted before; the trigger counts it.
UPDATE deliveries d SET robot_opened_at = seen.opened, robot_clicked_at = seen.clicked FROM (
  SELECT delivery_id, min(occurred_at) FILTER (WHERE type = 'opened') AS opened,
    min(occurred_at) FILTER (WHERE type = 'clicked') AS clicked
  FROM mail_events WHERE robot AND delivery_id IS NOT NULL GROUP BY delivery_id
) seen WHERE d.id = seen.delivery_id;
