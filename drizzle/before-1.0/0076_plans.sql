CREATE TABLE "plan" (
	"key" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"features" text[] DEFAULT '{}'::text[] NOT NULL,
	"price_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"seats" smallint NOT NULL,
	"trial_days" smallint,
	"stripe_product_id" text,
	"stripe_price_id" text,
	"retired_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text,
	"updated_by_id" uuid,
	CONSTRAINT "plan_stripe_product_id_unique" UNIQUE("stripe_product_id"),
	CONSTRAINT "plan_stripe_price_id_unique" UNIQUE("stripe_price_id"),
	CONSTRAINT "plan_price" CHECK ("plan"."price_cents" > 0),
	CONSTRAINT "plan_interval" CHECK ("plan"."interval" in ('month', 'year')),
	CONSTRAINT "plan_seats" CHECK ("plan"."seats" between 1 and 50)
);
--> statement-breakpoint
ALTER TABLE "team_seat" DROP CONSTRAINT "team_seat_number";--> statement-breakpoint
ALTER TABLE "team_seat" ADD CONSTRAINT "team_seat_number" CHECK ("team_seat"."seat" between 2 and 50);--> statement-breakpoint
INSERT INTO "plan" ("key", "position", "name", "note", "price_cents", "currency", "interval", "seats")
SELECT seed."key", seed."position", coalesce(settings."value" ->> ('plan.' || seed."key"), seed."name"),
	coalesce(settings."value" ->> ('planNote.' || seed."key"), seed."note"), seed."price_cents", 'usd', seed."interval", seed."seats"
FROM (VALUES
	('pro_monthly', 0, 'Pro Monthly', '', 1000, 'month', 1),
	('pro_yearly', 1, 'Pro Yearly', 'Save $21 a year', 9900, 'year', 1),
	('team_monthly', 2, 'Team Monthly', 'Up to 3 team members', 2000, 'month', 3)
) AS seed ("key", "position", "name", "note", "price_cents", "interval", "seats")
LEFT JOIN "publication_settings" settings ON settings."name" = 'publication' AND jsonb_typeof(settings."value") = 'object';
