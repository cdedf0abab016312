CREATE TABLE "adopted_price" (
	"price_id" text PRIMARY KEY NOT NULL,
	"plan" text NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stripe_adoption" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"cursor" text DEFAULT '' NOT NULL,
	"listed" integer DEFAULT 0 NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "stripe_adoption_subscription" (
	"adoption_id" uuid NOT NULL,
	"subscription_id" text NOT NULL,
	"stripe_customer" text NOT NULL,
	"address" text NOT NULL,
	"name" text,
	"status" text NOT NULL,
	"is_trial_offer" boolean NOT NULL,
	"prices" jsonb NOT NULL,
	"outcome" text,
	CONSTRAINT "stripe_adoption_subscription_adoption_id_subscription_id_pk" PRIMARY KEY("adoption_id","subscription_id")
);
--> statement-breakpoint
ALTER TABLE "stripe_adoption_subscription" ADD CONSTRAINT "stripe_adoption_subscription_adoption_id_stripe_adoption_id_fk" FOREIGN KEY ("adoption_id") REFERENCES "public"."stripe_adoption"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "stripe_adoption_open_key" ON "stripe_adoption" USING btree ((true)) WHERE "stripe_adoption"."status" in ('listing', 'listed', 'running');--> statement-breakpoint
CREATE INDEX "stripe_adoption_created_at_idx" ON "stripe_adoption" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "stripe_adoption_subscription_customer_idx" ON "stripe_adoption_subscription" USING btree ("adoption_id","stripe_customer");--> statement-breakpoint
CREATE INDEX "stripe_adoption_subscription_address_idx" ON "stripe_adoption_subscription" USING btree ("address");