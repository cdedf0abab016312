CREATE TABLE "retained_suppressions" (
	"address_hash" text NOT NULL,
	"stream" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "retained_suppressions_address_hash_stream_pk" PRIMARY KEY("address_hash","stream")
);
--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "publication_settings" ADD COLUMN "updated_by_id" uuid;--> statement-breakpoint
ALTER TABLE "segments" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "lifted_by_id" uuid;--> statement-breakpoint
ALTER TABLE "content_block" ADD COLUMN "updated_by_id" uuid;--> statement-breakpoint
ALTER TABLE "content_document" ADD COLUMN "updated_by_id" uuid;--> statement-breakpoint
ALTER TABLE "content_revision" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "guide_file" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
ALTER TABLE "media_image" ADD COLUMN "created_by_id" uuid;--> statement-breakpoint
-- An address may have passed to someone else since: an account that is younger than the change did not make it.
UPDATE "content_document" AS r SET "updated_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."updated_by") AND u."created_at" <= r."updated_at";--> statement-breakpoint
UPDATE "content_revision" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "content_block" AS r SET "updated_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."updated_by") AND u."created_at" <= r."updated_at";--> statement-breakpoint
UPDATE "media_image" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "guide_file" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "mailings" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "segments" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "suppressions" AS r SET "created_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."created_by") AND u."created_at" <= r."created_at";--> statement-breakpoint
UPDATE "suppressions" AS r SET "lifted_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."lifted_by") AND u."created_at" <= r."lifted_at";--> statement-breakpoint
UPDATE "publication_settings" AS r SET "updated_by_id" = u."id" FROM "auth"."users" u WHERE u."email" = lower(r."updated_by") AND u."created_at" <= r."updated_at";
