CREATE TABLE "newsletter" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"sender_name" text DEFAULT '' NOT NULL,
	"sender_address" text DEFAULT '' NOT NULL,
	"reply_to" text DEFAULT '' NOT NULL,
	"members_only" boolean NOT NULL,
	"subscribes_new_members" boolean NOT NULL,
	"position" integer NOT NULL,
	"retired_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	"updated_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "newsletter_subscription" (
	"newsletter_id" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"subscribed" boolean NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "newsletter_subscription_newsletter_id_user_id_pk" PRIMARY KEY("newsletter_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "newsletter_subscription" ADD CONSTRAINT "newsletter_subscription_newsletter_id_newsletter_id_fk" FOREIGN KEY ("newsletter_id") REFERENCES "public"."newsletter"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsletter_subscription" ADD CONSTRAINT "newsletter_subscription_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "newsletter_name_key" ON "newsletter" USING btree (lower("name")) WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "newsletter_subscription_user_id_idx" ON "newsletter_subscription" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "newsletter_subscription_unsubscribed_idx" ON "newsletter_subscription" USING btree ("newsletter_id","user_id") WHERE not subscribed;--> statement-breakpoint
CREATE INDEX "email_preferences_drops_off_idx" ON "email_preferences" USING btree ("user_id") WHERE drops = 'off';--> statement-breakpoint
CREATE INDEX "email_preferences_news_off_idx" ON "email_preferences" USING btree ("user_id") WHERE not news;--> statement-breakpoint
-- Statement-level, so that an import adds all rows at once. Without a newsletter it only looks into an empty table.
CREATE FUNCTION subscribe_new_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    SELECT n.id, a.id, true, now() FROM public.newsletter n CROSS JOIN added a
    WHERE n.subscribes_new_members AND n.retired_at IS NULL AND a.email IS NOT NULL AND NOT a.is_anonymous
    ORDER BY 1, 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_newsletters AFTER INSERT ON auth.users
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION subscribe_new_members();
