CREATE TABLE "gift_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"note" text NOT NULL,
	"months" smallint NOT NULL,
	"max_uses" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_link_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "gift_link_months" CHECK (months between 1 and 24)
);
--> statement-breakpoint
CREATE TABLE "gift_link_use" (
	"link_id" uuid NOT NULL,
	"mailbox_hash" text NOT NULL,
	"user_id" uuid,
	"used_at" timestamp with time zone NOT NULL,
	"access_until" timestamp with time zone NOT NULL,
	CONSTRAINT "gift_link_use_link_id_mailbox_hash_pk" PRIMARY KEY("link_id","mailbox_hash")
);
--> statement-breakpoint
ALTER TABLE "gift_link_use" ADD CONSTRAINT "gift_link_use_link_id_gift_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."gift_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_link_use" ADD CONSTRAINT "gift_link_use_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_link_use_user_id_idx" ON "gift_link_use" USING btree ("user_id");