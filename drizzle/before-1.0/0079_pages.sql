CREATE TABLE "site_page" (
	"id" uuid PRIMARY KEY NOT NULL,
	"path" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"audience" text NOT NULL,
	"published_at" timestamp with time zone,
	"version" integer NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" text,
	"updated_by_id" uuid,
	CONSTRAINT "site_page_path_unique" UNIQUE("path")
);
