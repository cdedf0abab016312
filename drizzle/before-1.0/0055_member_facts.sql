-- `area:`, `goal:` and `level:` come with the answers. Months are those of UTC.
CREATE FUNCTION member_tokens(answers text[], tags text[], franchise_type text, plan_status text, product_id text,
  seat_until timestamptz, complimentary_until timestamptz, disabled_until timestamptz, locations integer,
  email_confirmed boolean, suppressed boolean, noted boolean, signed_in_at timestamptz, opened_at timestamptz,
  clicked_at timestamptz) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT answers || array(SELECT 'tag:' || t FROM unnest(tags) t) || array_remove(ARRAY[
    'type:' || franchise_type, 'status:' || coalesce(plan_status, 'none'), 'plan:' || product_id,
    'locations:' || least(locations, 20),
    CASE WHEN seat_until IS NOT NULL THEN 'seat' END, CASE WHEN complimentary_until IS NOT NULL THEN 'complimentary' END,
    CASE WHEN disabled_until IS NOT NULL THEN 'disabled' END, CASE WHEN NOT email_confirmed THEN 'unconfirmed' END,
    CASE WHEN suppressed THEN 'suppressed' END, CASE WHEN noted THEN 'noted' END,
    'signed_in:' || to_char(signed_in_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    'opened:' || to_char(opened_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    'clicked:' || to_char(clicked_at AT TIME ZONE 'UTC', 'YYYY-MM')], NULL)
$$;
--> statement-breakpoint
CREATE TABLE "bulk_action_members" (
	"action_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"outcome" text,
	CONSTRAINT "bulk_action_members_action_id_user_id_pk" PRIMARY KEY("action_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "bulk_actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"action" jsonb NOT NULL,
	"selection" text NOT NULL,
	"status" text NOT NULL,
	"total" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "member_facts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"joined_micros" bigint NOT NULL,
	"search" text NOT NULL,
	"email_confirmed" boolean NOT NULL,
	"disabled_until" timestamp with time zone,
	"last_signed_in_at" timestamp with time zone,
	"plan_status" text,
	"product_id" text,
	"plan_until" timestamp with time zone,
	"renews_at" timestamp with time zone NOT NULL,
	"seat_product_id" text,
	"seat_until" timestamp with time zone,
	"complimentary_until" timestamp with time zone,
	"answers" text[] DEFAULT '{}' NOT NULL,
	"franchise_type" text,
	"locations" integer DEFAULT 0 NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"last_opened_at" timestamp with time zone,
	"last_clicked_at" timestamp with time zone,
	"last_active_at" timestamp with time zone GENERATED ALWAYS AS (coalesce(greatest(last_signed_in_at, last_opened_at, last_clicked_at), '-infinity')) STORED,
	"suppressed" boolean DEFAULT false NOT NULL,
	"noted" boolean DEFAULT false NOT NULL,
	"tokens" text[] GENERATED ALWAYS AS (member_tokens(answers, tags, franchise_type, plan_status, product_id, seat_until, complimentary_until, disabled_until, locations, email_confirmed, suppressed, noted, last_signed_in_at, last_opened_at, last_clicked_at)) STORED
);
--> statement-breakpoint
CREATE TABLE "member_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_views_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "bulk_action_members" ADD CONSTRAINT "bulk_action_members_action_id_bulk_actions_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."bulk_actions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bulk_action_members" ADD CONSTRAINT "bulk_action_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "member_facts" ADD CONSTRAINT "member_facts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- When the access of a plan ends, as `entitlement` in shared/domain computes it; a test compares the two. Hours, not days:
-- a calendar day can have 23 hours.
CREATE FUNCTION plan_access_end(s subscription_state) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN s.status NOT IN ('active', 'trialing', 'past_due') THEN '-infinity'
    WHEN s.test_clock_time IS NULL THEN coalesce(ends.at, 'epoch')
    WHEN s.test_clock_time < ends.at THEN 'infinity'
    ELSE 'epoch'
  END
  FROM (SELECT CASE
    WHEN s.status IN ('active', 'trialing') THEN coalesce(s.cancel_at, s.current_period_end + interval '24 hours')
    WHEN s.status = 'past_due' THEN coalesce(s.unpaid_since, s.current_period_start) + interval '168 hours'
  END AS at) ends
$$;
--> statement-breakpoint
-- Clients can store anything in the metadata of an account.
CREATE FUNCTION member_search_text(email text, metadata jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(concat_ws(' ', email, coalesce(
    CASE WHEN jsonb_typeof(metadata -> 'full_name') = 'string' THEN nullif(trim(metadata ->> 'full_name'), '') END,
    CASE WHEN jsonb_typeof(metadata -> 'name') = 'string' THEN nullif(trim(metadata ->> 'name'), '') END)))
$$;
--> statement-breakpoint
-- The facts of these accounts as the other tables have them now. Opens and clicks are written with the deliveries, notes
-- by their own trigger.
CREATE FUNCTION current_member_facts(ids uuid[]) RETURNS TABLE (
  user_id uuid, created_at timestamptz, joined_micros bigint, search text, email_confirmed boolean,
  disabled_until timestamptz, last_signed_in_at timestamptz, plan_status text, product_id text, plan_until timestamptz,
  renews_at timestamptz, seat_product_id text, seat_until timestamptz, complimentary_until timestamptz, answers text[],
  franchise_type text, locations integer, tags text[], suppressed boolean
) LANGUAGE sql STABLE AS $$
  SELECT u.id, u.created_at, (extract(epoch FROM u.created_at) * 1000000)::bigint,
    member_search_text(u.email, u.raw_user_meta_data), u.email_confirmed_at IS NOT NULL, u.banned_until, u.last_sign_in_at,
    CASE WHEN own.status NOT IN ('none', 'incomplete', 'incomplete_expired') THEN own.status END, own.product_id,
    CASE WHEN own.user_id IS NOT NULL THEN plan_access_end(own) END,
    coalesce(CASE WHEN own.status IN ('active', 'trialing', 'past_due') AND own.cancel_at IS NULL
      THEN own.current_period_end END, 'infinity'),
    owned.product_id, CASE WHEN owned.user_id IS NOT NULL THEN plan_access_end(owned) END, given.until,
    CASE WHEN p.user_id IS NULL THEN '{}' ELSE
      array(SELECT 'area:' || a FROM unnest(p.focus_areas) a) || array(SELECT 'goal:' || g FROM unnest(p.goals) g)
      || ('level:' || p.ai_level) END,
    p.franchise_type,
    (SELECT count(*)::int FROM business_location l WHERE l.user_id = u.id),
    array(SELECT t.tag FROM member_tags t WHERE t.user_id = u.id ORDER BY 1),
    EXISTS (SELECT 1 FROM suppressions s WHERE s.email = u.email AND s.lifted_at IS NULL)
  FROM auth.users u
  LEFT JOIN subscription_state own ON own.user_id = u.id
  LEFT JOIN team_seat seat ON seat.user_id = u.id
  LEFT JOIN subscription_state owned ON owned.user_id = seat.owner_id
  LEFT JOIN complimentary_access given ON given.user_id = u.id
  LEFT JOIN user_preferences p ON p.user_id = u.id
  WHERE u.id = ANY (ids) AND u.deleted_at IS NULL
$$;
--> statement-breakpoint
-- Indexes after the rows: faster with a million accounts.
INSERT INTO member_facts (user_id, created_at, joined_micros, search, email_confirmed, disabled_until, last_signed_in_at,
    plan_status, product_id, plan_until, renews_at, seat_product_id, seat_until, complimentary_until, answers,
    franchise_type, locations, tags, suppressed, last_opened_at, last_clicked_at, noted)
  SELECT c.*, seen.opened, seen.clicked, EXISTS (SELECT 1 FROM member_notes n WHERE n.user_id = c.user_id) FROM current_member_facts(array(SELECT id FROM auth.users)) c
  LEFT JOIN (
    SELECT user_id, max(opened_at) AS opened, max(clicked_at) AS clicked FROM deliveries
    WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL GROUP BY user_id
  ) seen ON seen.user_id = c.user_id;
--> statement-breakpoint
CREATE INDEX "bulk_action_members_open_idx" ON "bulk_action_members" USING btree ("action_id","user_id") WHERE outcome is null;
--> statement-breakpoint
CREATE INDEX "bulk_action_members_user_id_idx" ON "bulk_action_members" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "bulk_actions_created_at_idx" ON "bulk_actions" USING btree ("created_at","id");
--> statement-breakpoint
CREATE INDEX "bulk_actions_open_idx" ON "bulk_actions" USING btree ("status") WHERE status in ('running', 'undoing');
--> statement-breakpoint
CREATE INDEX "member_facts_created_at_idx" ON "member_facts" USING btree ("created_at","user_id");
--> statement-breakpoint
CREATE INDEX "member_facts_renews_at_idx" ON "member_facts" USING btree ("renews_at","user_id");
--> statement-breakpoint
CREATE INDEX "member_facts_last_active_at_idx" ON "member_facts" USING btree ("last_active_at","user_id");
--> statement-breakpoint
CREATE INDEX "member_facts_plan_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE plan_status is not null;
--> statement-breakpoint
CREATE INDEX "member_facts_seat_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE seat_until is not null;
--> statement-breakpoint
CREATE INDEX "member_facts_complimentary_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE complimentary_until is not null;
--> statement-breakpoint
CREATE INDEX "member_facts_disabled_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE disabled_until is not null;
--> statement-breakpoint
CREATE INDEX "member_facts_unconfirmed_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE not email_confirmed;
--> statement-breakpoint
CREATE INDEX "member_facts_suppressed_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE suppressed;
--> statement-breakpoint
CREATE INDEX "member_facts_noted_idx" ON "member_facts" USING btree ("joined_micros","user_id") WHERE noted;
--> statement-breakpoint
CREATE INDEX "member_facts_lapsed_idx" ON "member_facts" USING btree ("plan_until") WHERE plan_until > '-infinity';
--> statement-breakpoint
CREATE INDEX "member_facts_tokens_idx" ON "member_facts" USING gin ("tokens") WITH (fastupdate=false);
--> statement-breakpoint
CREATE INDEX "member_facts_search_idx" ON "member_facts" USING gin ("search" gin_trgm_ops);
--> statement-breakpoint
CREATE FUNCTION add_member_facts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO member_facts (user_id, created_at, joined_micros, search, email_confirmed, disabled_until, last_signed_in_at,
    plan_status, product_id, plan_until, renews_at, seat_product_id, seat_until, complimentary_until, answers,
    franchise_type, locations, tags, suppressed)
  SELECT * FROM current_member_facts(ids) ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
-- Writes only rows that differ, because each write touches a dozen indexes.
CREATE FUNCTION refresh_member_facts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  UPDATE member_facts f SET search = c.search, email_confirmed = c.email_confirmed, disabled_until = c.disabled_until,
    last_signed_in_at = c.last_signed_in_at, plan_status = c.plan_status, product_id = c.product_id,
    plan_until = c.plan_until, renews_at = c.renews_at, seat_product_id = c.seat_product_id, seat_until = c.seat_until,
    complimentary_until = c.complimentary_until, answers = c.answers, franchise_type = c.franchise_type,
    locations = c.locations, tags = c.tags, suppressed = c.suppressed
  FROM current_member_facts(ids) c
  WHERE f.user_id = c.user_id AND (f.search, f.email_confirmed, f.disabled_until, f.last_signed_in_at, f.plan_status,
      f.product_id, f.plan_until, f.renews_at, f.seat_product_id, f.seat_until, f.complimentary_until, f.answers,
      f.franchise_type, f.locations, f.tags, f.suppressed)
    IS DISTINCT FROM (c.search, c.email_confirmed, c.disabled_until, c.last_signed_in_at, c.plan_status,
      c.product_id, c.plan_until, c.renews_at, c.seat_product_id, c.seat_until, c.complimentary_until, c.answers,
      c.franchise_type, c.locations, c.tags, c.suppressed)
$$;
--> statement-breakpoint
CREATE FUNCTION member_facts_of_new_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_member_facts(array(SELECT id FROM changed));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_facts_in AFTER INSERT ON auth.users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_new_users();
--> statement-breakpoint
CREATE FUNCTION member_facts_of_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM member_facts WHERE user_id = NEW.id;
  ELSIF OLD.deleted_at IS NOT NULL THEN
    PERFORM add_member_facts(array[NEW.id]);
  ELSIF OLD.email IS NOT DISTINCT FROM NEW.email THEN
    UPDATE member_facts SET search = member_search_text(NEW.email, NEW.raw_user_meta_data),
      email_confirmed = NEW.email_confirmed_at IS NOT NULL, disabled_until = NEW.banned_until,
      last_signed_in_at = NEW.last_sign_in_at
    WHERE user_id = NEW.id;
  ELSE
    PERFORM refresh_member_facts(array[NEW.id]);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_facts_again AFTER UPDATE ON auth.users FOR EACH ROW
  WHEN ((OLD.email, OLD.raw_user_meta_data, OLD.email_confirmed_at, OLD.banned_until, OLD.last_sign_in_at, OLD.deleted_at)
    IS DISTINCT FROM
    (NEW.email, NEW.raw_user_meta_data, NEW.email_confirmed_at, NEW.banned_until, NEW.last_sign_in_at, NEW.deleted_at))
  EXECUTE FUNCTION member_facts_of_changed_user();
--> statement-breakpoint
-- For tables with a user_id. Statement-level, so that a bulk load computes all rows at once.
CREATE FUNCTION member_facts_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM refresh_member_facts(array(SELECT DISTINCT user_id FROM before_rows ORDER BY 1));
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM refresh_member_facts(array(SELECT DISTINCT user_id FROM after_rows ORDER BY 1));
  ELSE
    PERFORM refresh_member_facts(array(SELECT user_id FROM before_rows UNION SELECT user_id FROM after_rows ORDER BY 1));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A plan also opens the portal to the members of its owner's team.
CREATE FUNCTION member_facts_of_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owners uuid[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    owners := array(SELECT user_id FROM before_rows);
  ELSIF TG_OP = 'INSERT' THEN
    owners := array(SELECT user_id FROM after_rows);
  ELSE
    owners := array(SELECT user_id FROM before_rows UNION SELECT user_id FROM after_rows);
  END IF;
  PERFORM refresh_member_facts(array(
    SELECT unnest(owners) UNION SELECT user_id FROM team_seat WHERE owner_id = ANY (owners) ORDER BY 1));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION member_facts_of_suppressions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  addresses text[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    addresses := array(SELECT email FROM before_rows);
  ELSIF TG_OP = 'INSERT' THEN
    addresses := array(SELECT email FROM after_rows);
  ELSE
    addresses := array(SELECT email FROM before_rows UNION SELECT email FROM after_rows);
  END IF;
  PERFORM refresh_member_facts(array(SELECT id FROM auth.users WHERE email = ANY (addresses::varchar[]) ORDER BY 1));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER subscriptions_facts_in AFTER INSERT ON subscription_state
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscriptions_facts_again AFTER UPDATE ON subscription_state
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_subscriptions();
--> statement-breakpoint
CREATE TRIGGER subscriptions_facts_out AFTER DELETE ON subscription_state
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_subscriptions();
--> statement-breakpoint
CREATE TRIGGER suppressions_facts_in AFTER INSERT ON suppressions
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_suppressions();
--> statement-breakpoint
CREATE TRIGGER suppressions_facts_again AFTER UPDATE ON suppressions
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_suppressions();
--> statement-breakpoint
CREATE TRIGGER suppressions_facts_out AFTER DELETE ON suppressions
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_suppressions();
--> statement-breakpoint
CREATE TRIGGER seats_facts_in AFTER INSERT ON team_seat
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER seats_facts_again AFTER UPDATE ON team_seat
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER seats_facts_out AFTER DELETE ON team_seat
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER complimentary_facts_in AFTER INSERT ON complimentary_access
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER complimentary_facts_again AFTER UPDATE ON complimentary_access
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER complimentary_facts_out AFTER DELETE ON complimentary_access
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER preferences_facts_in AFTER INSERT ON user_preferences
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER preferences_facts_again AFTER UPDATE ON user_preferences
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER preferences_facts_out AFTER DELETE ON user_preferences
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER locations_facts_in AFTER INSERT ON business_location
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER locations_facts_again AFTER UPDATE ON business_location
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER locations_facts_out AFTER DELETE ON business_location
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER tags_facts_in AFTER INSERT ON member_tags
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER tags_facts_again AFTER UPDATE ON member_tags
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE TRIGGER tags_facts_out AFTER DELETE ON member_tags
  REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_rows();
--> statement-breakpoint
CREATE FUNCTION member_facts_of_notes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  member uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  UPDATE member_facts f SET noted = has.notes
  FROM (SELECT EXISTS (SELECT 1 FROM member_notes n WHERE n.user_id = member) AS notes) has
  WHERE f.user_id = member AND f.noted <> has.notes;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER notes_facts AFTER INSERT OR DELETE ON member_notes
  FOR EACH ROW EXECUTE FUNCTION member_facts_of_notes();
--> statement-breakpoint
-- Deliveries of an archive come with their feedback.
CREATE FUNCTION member_facts_of_new_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE member_facts f SET last_opened_at = greatest(f.last_opened_at, seen.opened),
    last_clicked_at = greatest(f.last_clicked_at, seen.clicked)
  FROM (
    SELECT user_id, max(opened_at) AS opened, max(clicked_at) AS clicked FROM after_rows
    WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL GROUP BY user_id
  ) seen
  WHERE f.user_id = seen.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deliveries_facts_in AFTER INSERT ON deliveries
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION member_facts_of_new_deliveries();
