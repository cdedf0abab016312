CREATE TABLE "purchase_consent" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"terms" text NOT NULL,
	"version" integer NOT NULL,
	"price_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"agreed" boolean NOT NULL,
	"waived" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"declared_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"contract" text,
	"contract_name" text,
	"refund_cents" bigint,
	"currency" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "withdrawal_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "withdrawal_contract_unique" UNIQUE("contract")
);
--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "discount_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gift" ADD COLUMN "tax_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_consent" ADD CONSTRAINT "purchase_consent_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawal_email_idx" ON "withdrawal" USING btree ("email","declared_at");