CREATE TABLE "retention_offer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"subscription_id" text NOT NULL,
	"reason" text NOT NULL,
	"kind" text NOT NULL,
	"plan" text,
	"comment" text,
	"offered_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "pause_starts_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "pause_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "card_hash" text;--> statement-breakpoint
ALTER TABLE "retention_offer" ADD CONSTRAINT "retention_offer_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "retention_offer_user_id_idx" ON "retention_offer" USING btree ("user_id","offered_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "retention_offer_offered_at_idx" ON "retention_offer" USING btree ("offered_at");--> statement-breakpoint
CREATE INDEX "subscription_state_card_hash_idx" ON "subscription_state" USING btree ("card_hash");--> statement-breakpoint
CREATE INDEX "subscription_state_pause_ends_at_idx" ON "subscription_state" USING btree ("pause_ends_at");
--> statement-breakpoint
-- A pause closes access with its start, as `entitlement` in shared/domain computes it.
CREATE OR REPLACE FUNCTION plan_access_end(s subscription_state) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN s.status NOT IN ('active', 'trialing', 'past_due') THEN '-infinity'
    WHEN s.test_clock_time IS NULL THEN coalesce(ends.at, 'epoch')
    WHEN s.test_clock_time < ends.at THEN 'infinity'
    ELSE 'epoch'
  END
  FROM (SELECT CASE
    WHEN s.status IN ('active', 'trialing') THEN coalesce(s.cancel_at, s.current_period_end + interval '24 hours')
    WHEN s.status = 'past_due' THEN coalesce(s.unpaid_since, s.current_period_start) + interval '168 hours'
  END AS at) unpaused,
  LATERAL (SELECT CASE WHEN s.pause_starts_at < unpaused.at THEN s.pause_starts_at ELSE unpaused.at END AS at) ends
$$;
--> statement-breakpoint
-- An active plan with a pause has the status `pausing`, and renews when the pause ends.
CREATE OR REPLACE FUNCTION current_member_facts(ids uuid[]) RETURNS TABLE (
  user_id uuid, created_at timestamptz, joined_micros bigint, search text, email_confirmed boolean,
  disabled_until timestamptz, last_signed_in_at timestamptz, plan_status text, product_id text, plan_until timestamptz,
  renews_at timestamptz, seat_product_id text, seat_until timestamptz, complimentary_until timestamptz, answers text[],
  franchise_type text, locations integer, tags text[], suppressed boolean
) LANGUAGE sql STABLE AS $$
  SELECT u.id, u.created_at, (extract(epoch FROM u.created_at) * 1000000)::bigint,
    member_search_text(u.email, u.raw_user_meta_data), u.email_confirmed_at IS NOT NULL, u.banned_until, u.last_sign_in_at,
    CASE WHEN own.status = 'active' AND own.pause_starts_at IS NOT NULL THEN 'pausing'
      WHEN own.status NOT IN ('none', 'incomplete', 'incomplete_expired') THEN own.status END, own.product_id,
    CASE WHEN own.user_id IS NOT NULL THEN plan_access_end(own) END,
    coalesce(CASE WHEN own.status IN ('active', 'trialing', 'past_due') AND own.cancel_at IS NULL
      THEN CASE WHEN own.pause_starts_at IS NULL THEN own.current_period_end ELSE own.pause_ends_at END END, 'infinity'),
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
CREATE OR REPLACE FUNCTION emit_subscription_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_live boolean := TG_OP = 'UPDATE' AND OLD.status IN ('active', 'trialing', 'past_due');
  is_live boolean := NEW.status IN ('active', 'trialing', 'past_due');
BEGIN
  IF is_live AND NOT was_live THEN
    PERFORM public.emit_webhook_event('subscription.started', NEW.user_id::text);
  ELSIF was_live AND NOT is_live THEN
    PERFORM public.emit_webhook_event('subscription.ended', NEW.user_id::text);
  ELSIF is_live AND (NEW.status, NEW.price_id, NEW.cancel_at, NEW.pause_starts_at)
    IS DISTINCT FROM (OLD.status, OLD.price_id, OLD.cancel_at, OLD.pause_starts_at) THEN
    PERFORM public.emit_webhook_event('subscription.changed', NEW.user_id::text);
  END IF;
  RETURN NULL;
END $$;
