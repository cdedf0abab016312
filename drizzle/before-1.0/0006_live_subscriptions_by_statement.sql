-- As for users: one counter update a statement, however many rows it writes. An UPDATE OF trigger takes no transition
-- tables, so this one fires for every update and mostly finds no difference.
DROP TRIGGER subscriptions_counted ON subscription_state;
--> statement-breakpoint
DROP FUNCTION count_live_subscriptions();
--> statement-breakpoint
CREATE FUNCTION count_live_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  difference bigint := 0;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    difference := (SELECT coalesce(sum(is_live_subscription(status)), 0) FROM after_rows);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    difference := difference - (SELECT coalesce(sum(is_live_subscription(status)), 0) FROM before_rows);
  END IF;
  IF difference <> 0 THEN
    INSERT INTO counters (name, bucket, value) VALUES ('subscriptions_live', 'epoch'::timestamptz, difference)
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_in AFTER INSERT ON subscription_state
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION count_live_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_again AFTER UPDATE ON subscription_state
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_live_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_out AFTER DELETE ON subscription_state
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION count_live_subscriptions();
