CREATE TABLE "referral" (
	"id" uuid PRIMARY KEY NOT NULL,
	"referrer_id" uuid,
	"referee_id" uuid,
	"state" text NOT NULL,
	"reason" text,
	"mailbox_hash" text,
	"card_hash" text,
	"invoice_id" text,
	"referrer_customer_id" text,
	"referrer_cents" bigint,
	"referrer_currency" text,
	"referrer_credit_id" text,
	"referrer_taken_cents" bigint,
	"referee_customer_id" text,
	"referee_cents" bigint,
	"referee_currency" text,
	"referee_credit_id" text,
	"referee_taken_cents" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "referral_referee_id_unique" UNIQUE("referee_id"),
	CONSTRAINT "referral_mailbox_hash_unique" UNIQUE("mailbox_hash"),
	CONSTRAINT "referral_card_hash_unique" UNIQUE("card_hash")
);
--> statement-breakpoint
ALTER TABLE "referral" ADD CONSTRAINT "referral_referrer_id_users_id_fk" FOREIGN KEY ("referrer_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral" ADD CONSTRAINT "referral_referee_id_users_id_fk" FOREIGN KEY ("referee_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "referral_pending_idx" ON "referral" USING btree ("created_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "referral_referrer_id_idx" ON "referral" USING btree ("referrer_id","decided_at");--> statement-breakpoint
CREATE INDEX "referral_created_at_idx" ON "referral" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "referral_invoice_id_idx" ON "referral" USING btree ("invoice_id");