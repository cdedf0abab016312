CREATE TABLE "renewal_offer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"renews_at" timestamp with time zone NOT NULL,
	"cents" integer NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"taken_at" timestamp with time zone,
	"customer_id" text,
	"credit_id" text
);
--> statement-breakpoint
CREATE TABLE "store_money" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"location_id" uuid,
	"month" text NOT NULL,
	"source" text NOT NULL,
	"cents" integer NOT NULL,
	"note" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "share_links" DROP CONSTRAINT "share_links_kind_item_id_content_items_kind_id_fk";
--> statement-breakpoint
ALTER TABLE "renewal_offer" ADD CONSTRAINT "renewal_offer_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store_money" ADD CONSTRAINT "store_money_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "store_money" ADD CONSTRAINT "store_money_location_id_business_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."business_location"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "renewal_offer_user_id_renews_at_key" ON "renewal_offer" USING btree ("user_id","renews_at");--> statement-breakpoint
CREATE UNIQUE INDEX "store_money_key" ON "store_money" USING btree ("owner_id","location_id","month","source");--> statement-breakpoint
CREATE INDEX "store_money_location_id_idx" ON "store_money" USING btree ("location_id");