CREATE TABLE "offer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"percent_off" integer,
	"amount_off_cents" bigint,
	"duration" text NOT NULL,
	"months" integer,
	"plans" text[] NOT NULL,
	"max_redemptions" integer,
	"ends_at" timestamp with time zone,
	"new_customers_only" boolean NOT NULL,
	"stripe_promotion_code_id" text,
	"times_redeemed" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_here" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "offer_code_unique" UNIQUE("code"),
	CONSTRAINT "offer_stripe_promotion_code_id_unique" UNIQUE("stripe_promotion_code_id")
);
--> statement-breakpoint
CREATE TABLE "revenue_offer_total" (
	"promotion_code_id" text PRIMARY KEY NOT NULL,
	"subscriptions" bigint DEFAULT 0 NOT NULL,
	"customers" bigint DEFAULT 0 NOT NULL,
	"paid_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"discount_cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "revenue_invoice" ADD COLUMN "discounts" jsonb DEFAULT '[]'::jsonb NOT NULL;