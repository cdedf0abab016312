ALTER TABLE "sending_pace" RENAME TO "throttle_usage";--> statement-breakpoint
ALTER TABLE "throttle_usage" RENAME CONSTRAINT "sending_pace_domain_minute_pk" TO "throttle_usage_domain_minute_pk";--> statement-breakpoint
ALTER INDEX "sending_pace_minute_idx" RENAME TO "throttle_usage_minute_idx";--> statement-breakpoint
ALTER TABLE "senders" RENAME COLUMN "seen_at" TO "heartbeat_at";--> statement-breakpoint
ALTER TABLE "mailings" RENAME COLUMN "not_sent" TO "send_failure";--> statement-breakpoint
ALTER TABLE "mailings" RENAME COLUMN "resumed_after" TO "feedback_at_resume";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "not_before" TO "next_attempt_at";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "bounce_kind" TO "bounce_type";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "robot_opened_at" TO "bot_opened_at";--> statement-breakpoint
ALTER TABLE "deliveries" RENAME COLUMN "robot_clicked_at" TO "bot_clicked_at";--> statement-breakpoint
ALTER TRIGGER "deliveries_counted_in" ON "deliveries" RENAME TO "deliveries_count_inserted";--> statement-breakpoint
ALTER TRIGGER "deliveries_counted_again" ON "deliveries" RENAME TO "deliveries_count_updated";--> statement-breakpoint
ALTER FUNCTION count_prepared_deliveries() RENAME TO count_inserted_deliveries;--> statement-breakpoint
ALTER FUNCTION count_changed_deliveries() RENAME TO count_updated_deliveries;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_updated_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, name, cause, sum(difference))::mailing_counts FROM (
      SELECT mailing_id, status AS name, coalesce(cause, '') AS cause, 1 AS difference FROM after_rows
      UNION ALL SELECT mailing_id, status, coalesce(cause, ''), -1 FROM before_rows
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', 1 FROM after_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', -1 FROM before_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', 1 FROM after_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', -1 FROM before_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', 1 FROM after_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', -1 FROM before_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', 1 FROM after_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', -1 FROM before_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', 1 FROM after_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', -1 FROM before_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', 1 FROM after_rows WHERE bot_clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', -1 FROM before_rows WHERE bot_clicked_at IS NOT NULL
    ) AS differences GROUP BY mailing_id, name, cause HAVING sum(difference) <> 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE "mailing_counts" SET "name" = 'bot_' || substr("name", 7) WHERE "name" IN ('robot_opened', 'robot_clicked');--> statement-breakpoint
-- The trigger moves the counts of the renamed causes.
UPDATE "deliveries" SET "cause" = CASE "cause"
    WHEN 'had_it' THEN 'already_received' WHEN 'gave_up' THEN 'retries_exhausted' ELSE 'sender_lost' END
  WHERE "cause" IN ('had_it', 'gave_up', 'sender_gone');--> statement-breakpoint
DELETE FROM "mailing_counts" WHERE "cause" IN ('had_it', 'gave_up', 'sender_gone') AND "value" = 0;--> statement-breakpoint
UPDATE "mailings" SET "pause_reason" = 'postalAddress' WHERE "pause_reason" = 'postal_address';--> statement-breakpoint
UPDATE "mailings" SET "send_failure" = jsonb_set("send_failure", '{reason}', '"noRecipients"')
  WHERE "send_failure" ->> 'reason' = 'nobody';--> statement-breakpoint
UPDATE "publication_settings" SET "value" = (
  SELECT jsonb_object_agg(CASE key WHEN 'time_zone' THEN 'timeZone' WHEN 'pace' THEN 'limits'
    WHEN 'reply_to' THEN 'replyTo' WHEN 'postal_address' THEN 'postalAddress' ELSE key END, entry)
  FROM jsonb_each("value") AS settings(key, entry)
) WHERE "name" = 'sending' AND "value" <> '{}'::jsonb;
