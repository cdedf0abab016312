CREATE TABLE "member_sources" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"first_source" text NOT NULL,
	"first_campaign" text NOT NULL,
	"first_path" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_source" text NOT NULL,
	"last_campaign" text NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "page_visits" (
	"day" date NOT NULL,
	"path" text NOT NULL,
	"source" text NOT NULL,
	"campaign" text NOT NULL,
	"is_bot" boolean NOT NULL,
	"visits" integer NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "page_visits_day_path_source_campaign_is_bot_pk" PRIMARY KEY("day","path","source","campaign","is_bot")
);
--> statement-breakpoint
CREATE TABLE "visitors" (
	"hash" text PRIMARY KEY NOT NULL,
	"first_source" text NOT NULL,
	"first_campaign" text NOT NULL,
	"first_path" text NOT NULL,
	"last_source" text NOT NULL,
	"last_campaign" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "member_sources" ADD CONSTRAINT "member_sources_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_sources_first_source_idx" ON "member_sources" USING btree ("first_source");--> statement-breakpoint
CREATE INDEX "visitors_seen_at_idx" ON "visitors" USING btree ("seen_at");