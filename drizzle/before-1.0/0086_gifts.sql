CREATE TABLE "gift" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"giver_name" text NOT NULL,
	"giver_email" text NOT NULL,
	"recipient_name" text NOT NULL,
	"recipient_email" text NOT NULL,
	"message" text NOT NULL,
	"deliver_on" date NOT NULL,
	"deliver_at" timestamp with time zone NOT NULL,
	"plan" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"months" smallint NOT NULL,
	"giver_token_hash" text NOT NULL,
	"claim_token_hash" text,
	"address_version" smallint DEFAULT 0 NOT NULL,
	"stripe_session_id" text,
	"stripe_payment_intent_id" text,
	"paid_at" timestamp with time zone,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"refund_reason" text,
	"sent_at" timestamp with time zone,
	"claim_until" timestamp with time zone,
	"extended_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"bounce_told_at" timestamp with time zone,
	"claimed_by" uuid,
	"claimed_at" timestamp with time zone,
	"outcome" text,
	"access_until" timestamp with time zone,
	"credit_customer_id" text,
	"credit_id" text,
	"credit_reversal_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_giver_token_hash_unique" UNIQUE("giver_token_hash"),
	CONSTRAINT "gift_claim_token_hash_unique" UNIQUE("claim_token_hash"),
	CONSTRAINT "gift_stripe_session_id_unique" UNIQUE("stripe_session_id"),
	CONSTRAINT "gift_stripe_payment_intent_id_unique" UNIQUE("stripe_payment_intent_id"),
	CONSTRAINT "gift_months" CHECK ("gift"."months" between 1 and 24)
);
--> statement-breakpoint
ALTER TABLE "complimentary_access" ADD COLUMN "source" text DEFAULT 'staff' NOT NULL;--> statement-breakpoint
ALTER TABLE "gift" ADD CONSTRAINT "gift_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_open_idx" ON "gift" USING btree ("state","deliver_at") WHERE state in ('unpaid', 'scheduled', 'sent', 'refunding');--> statement-breakpoint
CREATE INDEX "gift_created_at_idx" ON "gift" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "gift_recipient_email_idx" ON "gift" USING btree ("recipient_email");--> statement-breakpoint
CREATE INDEX "gift_giver_email_idx" ON "gift" USING btree ("giver_email");--> statement-breakpoint
CREATE INDEX "gift_claimed_by_idx" ON "gift" USING btree ("claimed_by");