CREATE TABLE "content_schedule" (
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"version" integer NOT NULL,
	"document" jsonb NOT NULL,
	"publish_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	CONSTRAINT "content_schedule_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
ALTER TABLE "content_document" ADD COLUMN "publish_failure" jsonb;--> statement-breakpoint
CREATE INDEX "content_schedule_publish_at_idx" ON "content_schedule" USING btree ("publish_at");