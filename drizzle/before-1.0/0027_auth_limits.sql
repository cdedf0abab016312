CREATE TABLE "auth"."known_addresses" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ip" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_addresses_user_id_kind_ip_pk" PRIMARY KEY("user_id","kind","ip")
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"token" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth"."users" RENAME COLUMN "made_by_operator" TO "created_by_admin";--> statement-breakpoint
ALTER TABLE "auth"."known_addresses" ADD CONSTRAINT "known_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_addresses_expires_at_idx" ON "auth"."known_addresses" USING btree ("expires_at");--> statement-breakpoint
-- Known addresses and leases move out of the rate limits; counters stay.
INSERT INTO "auth"."known_addresses" ("user_id", "kind", "ip", "expires_at") SELECT u."id", CASE split_part(r."key", ':', 3) WHEN 'known' THEN 'sign_in' ELSE 'mfa' END, substring(r."key" from '^account:[^:]+:[^:]+:(.+)$'), r."expires_at" FROM "rate_limits" r JOIN "auth"."users" u ON u."id"::text = split_part(r."key", ':', 2) WHERE r."key" ~ '^account:[^:]+:(known|passed-from):.' AND r."expires_at" > now();--> statement-breakpoint
INSERT INTO "leases" ("name", "token", "expires_at") SELECT substr("key", 7), "points", "expires_at" FROM "rate_limits" WHERE "key" LIKE 'lease:_%';--> statement-breakpoint
DELETE FROM "rate_limits" WHERE "key" ~ '^account:[^:]+:(known|passed-from):' OR "key" LIKE 'lease:%';
