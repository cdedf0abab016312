CREATE TABLE "collection_items" (
	"user_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"member" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "collection_items_user_id_kind_item_id_collection_id_pk" PRIMARY KEY("user_id","kind","item_id","collection_id")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"deleted" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "collections_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "reading_state" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"position" text,
	"position_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "reading_state_user_id_kind_item_id_pk" PRIMARY KEY("user_id","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "saved_items" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"saved" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_items_user_id_kind_item_id_pk" PRIMARY KEY("user_id","kind","item_id")
);
--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_user_id_collection_id_collections_user_id_id_fk" FOREIGN KEY ("user_id","collection_id") REFERENCES "public"."collections"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reading_state" ADD CONSTRAINT "reading_state_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reading_state" ADD CONSTRAINT "reading_state_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_items" ADD CONSTRAINT "saved_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_items" ADD CONSTRAINT "saved_items_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collection_items_list_idx" ON "collection_items" USING btree ("user_id","collection_id","at" DESC NULLS LAST,"kind" DESC NULLS LAST,"item_id" DESC NULLS LAST) WHERE "collection_items"."member";--> statement-breakpoint
CREATE INDEX "reading_state_continue_idx" ON "reading_state" USING btree ("user_id","position_at" DESC NULLS LAST) WHERE "reading_state"."finished_at" is null and "reading_state"."position_at" is not null;--> statement-breakpoint
CREATE INDEX "saved_items_list_idx" ON "saved_items" USING btree ("user_id","at" DESC NULLS LAST,"kind" DESC NULLS LAST,"item_id" DESC NULLS LAST) WHERE "saved_items"."saved";--> statement-breakpoint
CREATE INDEX "saved_items_kind_idx" ON "saved_items" USING btree ("user_id","kind","at" DESC NULLS LAST,"item_id" DESC NULLS LAST) WHERE "saved_items"."saved";--> statement-breakpoint
CREATE INDEX "saved_items_item_idx" ON "saved_items" USING btree ("kind","item_id") WHERE "saved_items"."saved";