CREATE TABLE "emailed_changes" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"version" integer NOT NULL,
	"mailing_id" uuid NOT NULL,
	CONSTRAINT "emailed_changes_user_id_kind_item_id_version_mailing_id_pk" PRIMARY KEY("user_id","kind","item_id","version","mailing_id")
);
--> statement-breakpoint
CREATE TABLE "item_changes" (
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"note" text NOT NULL,
	CONSTRAINT "item_changes_kind_item_id_version_pk" PRIMARY KEY("kind","item_id","version")
);
--> statement-breakpoint
CREATE TABLE "item_uses" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"use" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "item_uses_user_id_kind_item_id_use_pk" PRIMARY KEY("user_id","kind","item_id","use")
);
--> statement-breakpoint
CREATE TABLE "seen_changes" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "seen_changes_user_id_kind_item_id_pk" PRIMARY KEY("user_id","kind","item_id")
);
--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "valid_until" date;--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "change_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "valid_until" date;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "change_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "valid_until" date;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "change_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "valid_until" date;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "change_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "emailed_changes" ADD CONSTRAINT "emailed_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "emailed_changes" ADD CONSTRAINT "emailed_changes_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_changes" ADD CONSTRAINT "item_changes_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_uses" ADD CONSTRAINT "item_uses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "item_uses" ADD CONSTRAINT "item_uses_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_changes" ADD CONSTRAINT "seen_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_changes" ADD CONSTRAINT "seen_changes_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "emailed_changes_mailing_idx" ON "emailed_changes" USING btree ("mailing_id","user_id");--> statement-breakpoint
CREATE INDEX "item_uses_item_idx" ON "item_uses" USING btree ("kind","item_id");