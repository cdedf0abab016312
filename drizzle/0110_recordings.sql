CREATE TABLE "feed_fetch" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"source" text NOT NULL,
	"app" text NOT NULL,
	CONSTRAINT "feed_fetch_user_id_day_source_pk" PRIMARY KEY("user_id","day","source")
);
--> statement-breakpoint
CREATE TABLE "listening_position" (
	"user_id" uuid NOT NULL,
	"issue_id" text NOT NULL,
	"seconds" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "listening_position_user_id_issue_id_pk" PRIMARY KEY("user_id","issue_id")
);
--> statement-breakpoint
CREATE TABLE "recording" (
	"id" uuid PRIMARY KEY NOT NULL,
	"issue_id" text NOT NULL,
	"status" text NOT NULL,
	"format" text DEFAULT '' NOT NULL,
	"bytes" bigint NOT NULL,
	"seconds" integer DEFAULT 0 NOT NULL,
	"starts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"original_name" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid
);
--> statement-breakpoint
CREATE TABLE "recording_download" (
	"issue_id" text NOT NULL,
	"day" date NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "recording_download_issue_id_day_user_id_pk" PRIMARY KEY("issue_id","day","user_id")
);
--> statement-breakpoint
ALTER TABLE "feed_fetch" ADD CONSTRAINT "feed_fetch_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listening_position" ADD CONSTRAINT "listening_position_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_download" ADD CONSTRAINT "recording_download_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "recording_current_key" ON "recording" USING btree ("issue_id") WHERE status = 'current';--> statement-breakpoint
CREATE INDEX "recording_download_user_id_idx" ON "recording_download" USING btree ("user_id");