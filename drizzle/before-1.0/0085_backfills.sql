CREATE TABLE "backfills" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"cursor" text,
	"handled_rows" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backfills_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "senders" ADD COLUMN "version" text;