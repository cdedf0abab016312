CREATE TABLE "purchase" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"plan" text NOT NULL,
	"once" text NOT NULL,
	"interval" text NOT NULL,
	"interval_count" smallint NOT NULL,
	"state" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"refund_cents" bigint,
	"terms" text NOT NULL,
	"stripe_session_id" text,
	"stripe_payment_intent_id" text,
	"paid_at" timestamp with time zone,
	"access_until" timestamp with time zone,
	"access_seconds" integer,
	"former_until" timestamp with time zone,
	"won_dispute_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "purchase_stripe_session_id_unique" UNIQUE("stripe_session_id"),
	CONSTRAINT "purchase_stripe_payment_intent_id_unique" UNIQUE("stripe_payment_intent_id")
);
--> statement-breakpoint
ALTER TABLE "plan" ADD COLUMN "once" text;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "purchase_user_id_idx" ON "purchase" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "purchase_open_idx" ON "purchase" USING btree ("created_at") WHERE state in ('unpaid', 'refunding');--> statement-breakpoint
ALTER TABLE "plan" ADD CONSTRAINT "plan_once" CHECK ("plan"."once" is null or ("plan"."once" in ('period', 'forever') and "plan"."seats" = 1));