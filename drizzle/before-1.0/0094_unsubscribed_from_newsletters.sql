CREATE INDEX "newsletter_subscription_unsubscribed_at_idx" ON "newsletter_subscription" USING btree ("changed_at","user_id") WHERE not subscribed;--> statement-breakpoint
CREATE FUNCTION emit_newsletter_unsubscribed_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.emit_webhook_event('member.unsubscribed', NEW.user_id::text);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER webhook_newsletter_unsubscribed AFTER UPDATE OF subscribed ON newsletter_subscription
  FOR EACH ROW WHEN (OLD.subscribed AND NOT NEW.subscribed) EXECUTE FUNCTION emit_newsletter_unsubscribed_event();
