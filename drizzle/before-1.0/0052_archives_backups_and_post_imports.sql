CREATE TABLE "archives" (
	"id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"heartbeat_at" timestamp with time zone,
	"parts" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"missing" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"destination" text NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"bytes" bigint,
	"rows" bigint,
	"files" integer,
	"missing_files" integer,
	"drilled_at" timestamp with time zone,
	"drill_passed" boolean,
	"drill_error" text,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "backups_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "imported_posts" (
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"document_id" text NOT NULL,
	"imported_at" timestamp with time zone NOT NULL,
	CONSTRAINT "imported_posts_source_source_id_pk" PRIMARY KEY("source","source_id")
);
--> statement-breakpoint
CREATE TABLE "post_import_items" (
	"import_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"result" text NOT NULL,
	"document_id" text,
	"notes" jsonb NOT NULL,
	CONSTRAINT "post_import_items_import_id_position_pk" PRIMARY KEY("import_id","position")
);
--> statement-breakpoint
CREATE TABLE "post_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"source" text,
	"status" text NOT NULL,
	"publish" boolean DEFAULT false NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"heartbeat_at" timestamp with time zone,
	"parts" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "post_import_items" ADD CONSTRAINT "post_import_items_import_id_post_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."post_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "archives_created_at_idx" ON "archives" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "archives_open_key" ON "archives" USING btree ((true)) WHERE status in ('queued', 'building');--> statement-breakpoint
CREATE INDEX "backups_started_at_idx" ON "backups" USING btree ("started_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "post_imports_created_at_idx" ON "post_imports" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "post_imports_open_key" ON "post_imports" USING btree ((true)) WHERE status in ('checking', 'importing');