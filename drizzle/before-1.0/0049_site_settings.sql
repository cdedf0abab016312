CREATE TABLE "publication_setting_versions" (
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	CONSTRAINT "publication_setting_versions_name_version_pk" PRIMARY KEY("name","version")
);
--> statement-breakpoint
ALTER TABLE "publication_settings" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;