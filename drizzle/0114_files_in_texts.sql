CREATE TABLE "text_file" (
	"hash" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"seconds" integer,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"created_by_id" uuid
);
