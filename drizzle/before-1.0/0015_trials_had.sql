CREATE TABLE "trial_had" (
	"address_hash" text PRIMARY KEY NOT NULL
);
