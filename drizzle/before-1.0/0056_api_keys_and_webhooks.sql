CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_by_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "api_requests" (
	"key_id" uuid NOT NULL,
	"idempotency_key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "api_requests_key_id_idempotency_key_pk" PRIMARY KEY("key_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"delivery_id" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"status" integer,
	"excerpt" text NOT NULL,
	"duration_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT 'epoch'::timestamptz
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_created_by_id_idx" ON "api_keys" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "api_requests_created_at_idx" ON "api_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery_id_idx" ON "webhook_attempts" USING btree ("delivery_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries" USING btree ("event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries" USING btree ("endpoint_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_next_attempt_at_idx" ON "webhook_deliveries" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_events_subject_idx" ON "webhook_events" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
-- Writes an event for the endpoints that want it, in the transaction of the change. Once for each transaction, type and
-- subject. Without such an endpoint it only looks into a table of a few rows.
CREATE FUNCTION emit_webhook_event(event_type text, event_subject text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new_id uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM public.webhook_endpoints e WHERE e.disabled_at IS NULL AND event_type = ANY (e.events)) THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM public.webhook_events v
      WHERE v.subject = event_subject AND v.type = event_type AND v.created_at = now()) THEN
    RETURN;
  END IF;
  INSERT INTO public.webhook_events (type, subject, created_at) VALUES (event_type, event_subject, now()) RETURNING id INTO new_id;
  INSERT INTO public.webhook_deliveries (event_id, endpoint_id)
    SELECT new_id, e.id FROM public.webhook_endpoints e WHERE e.disabled_at IS NULL AND event_type = ANY (e.events);
END $$;
--> statement-breakpoint
CREATE FUNCTION emit_member_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.email IS NOT NULL THEN PERFORM public.emit_webhook_event('member.created', NEW.id::text); END IF;
  ELSIF TG_OP = 'DELETE' OR (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) THEN
    DELETE FROM public.webhook_events WHERE subject = OLD.id::text;
    PERFORM public.emit_webhook_event('member.deleted', OLD.id::text);
  ELSIF NEW.deleted_at IS NULL AND NEW.email IS NOT NULL
      AND (NEW.email, NEW.raw_user_meta_data) IS DISTINCT FROM (OLD.email, OLD.raw_user_meta_data) THEN
    PERFORM public.emit_webhook_event(CASE WHEN OLD.email IS NULL THEN 'member.created' ELSE 'member.updated' END, NEW.id::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_member_created_or_deleted AFTER INSERT OR DELETE ON auth.users
  FOR EACH ROW EXECUTE FUNCTION emit_member_event();
--> statement-breakpoint
CREATE TRIGGER webhook_member_updated AFTER UPDATE OF email, raw_user_meta_data, deleted_at ON auth.users
  FOR EACH ROW EXECUTE FUNCTION emit_member_event();
--> statement-breakpoint
CREATE FUNCTION emit_tag_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  member uuid := CASE WHEN TG_OP = 'INSERT' THEN NEW.user_id ELSE OLD.user_id END;
BEGIN
  -- Tags that go with their member aren't a change of it.
  IF EXISTS (SELECT FROM auth.users u WHERE u.id = member) THEN
    PERFORM public.emit_webhook_event('member.updated', member::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_member_tagged AFTER INSERT OR DELETE ON member_tags
  FOR EACH ROW EXECUTE FUNCTION emit_tag_event();
--> statement-breakpoint
CREATE FUNCTION emit_unsubscribed_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.drops = 'off' AND (TG_OP = 'INSERT' OR OLD.drops <> 'off')) OR (NOT NEW.news AND (TG_OP = 'INSERT' OR OLD.news)) THEN
    PERFORM public.emit_webhook_event('member.unsubscribed', NEW.user_id::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_member_unsubscribed AFTER INSERT OR UPDATE OF drops, news ON email_preferences
  FOR EACH ROW EXECUTE FUNCTION emit_unsubscribed_event();
--> statement-breakpoint
CREATE FUNCTION emit_subscription_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_live boolean := TG_OP = 'UPDATE' AND OLD.status IN ('active', 'trialing', 'past_due');
  is_live boolean := NEW.status IN ('active', 'trialing', 'past_due');
BEGIN
  IF is_live AND NOT was_live THEN
    PERFORM public.emit_webhook_event('subscription.started', NEW.user_id::text);
  ELSIF was_live AND NOT is_live THEN
    PERFORM public.emit_webhook_event('subscription.ended', NEW.user_id::text);
  ELSIF is_live AND (NEW.status, NEW.price_id, NEW.cancel_at) IS DISTINCT FROM (OLD.status, OLD.price_id, OLD.cancel_at) THEN
    PERFORM public.emit_webhook_event('subscription.changed', NEW.user_id::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_subscription AFTER INSERT OR UPDATE ON subscription_state
  FOR EACH ROW EXECUTE FUNCTION emit_subscription_event();
--> statement-breakpoint
CREATE FUNCTION emit_drop_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.published_at IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.published_at IS NULL) THEN
    PERFORM public.emit_webhook_event('drop.published', NEW.id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_drop_published AFTER INSERT OR UPDATE OF published_at ON issues
  FOR EACH ROW EXECUTE FUNCTION emit_drop_event();
--> statement-breakpoint
CREATE FUNCTION emit_mailing_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'sent' AND OLD.status <> 'sent' AND NEW.kind <> 'follow-up' THEN
    PERFORM public.emit_webhook_event('mailing.sent', NEW.id::text);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_mailing_sent AFTER UPDATE OF status ON mailings
  FOR EACH ROW EXECUTE FUNCTION emit_mailing_event();
