-- Figures of the admin dashboard are kept, not counted: the page costs the same at a million users as at a hundred.
-- Statement-level triggers with transition tables, so that a bulk load touches each counter once.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_total', 'epoch'::timestamptz, count(*) FROM changed HAVING count(*) > 0
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_by_hour', date_trunc('hour', created_at, 'UTC'), count(*) FROM changed GROUP BY 2 ORDER BY 2
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  ELSE
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_total', 'epoch'::timestamptz, -count(*) FROM changed HAVING count(*) > 0
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_by_hour', date_trunc('hour', created_at, 'UTC'), -count(*) FROM changed GROUP BY 2 ORDER BY 2
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_counted_in AFTER INSERT ON auth.users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();
--> statement-breakpoint
CREATE TRIGGER users_counted_out AFTER DELETE ON auth.users
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_users();
--> statement-breakpoint
-- Live in Stripe's words: active, trialing or past due.
CREATE FUNCTION is_live_subscription(status text) RETURNS integer LANGUAGE sql IMMUTABLE AS
  $$ SELECT CASE WHEN status IN ('active', 'trialing', 'past_due') THEN 1 ELSE 0 END $$;
--> statement-breakpoint
CREATE FUNCTION count_live_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  difference integer :=
    (CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE is_live_subscription(NEW.status) END)
    - (CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE is_live_subscription(OLD.status) END);
BEGIN
  IF difference <> 0 THEN
    INSERT INTO counters (name, bucket, value) VALUES ('subscriptions_live', 'epoch'::timestamptz, difference)
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted AFTER INSERT OR UPDATE OF status OR DELETE ON subscription_state
  FOR EACH ROW EXECUTE FUNCTION count_live_subscriptions();
