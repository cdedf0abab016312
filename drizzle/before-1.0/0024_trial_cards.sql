CREATE TABLE "trial_card" (
	"fingerprint_hash" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	CONSTRAINT "trial_card_subscription_id_unique" UNIQUE("subscription_id")
);
