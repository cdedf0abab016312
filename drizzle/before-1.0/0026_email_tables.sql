ALTER TABLE "mail_preferences" RENAME TO "email_preferences";--> statement-breakpoint
ALTER TABLE "email_preferences" RENAME COLUMN "counted" TO "allows_tracking";--> statement-breakpoint
ALTER TABLE "email_preferences" RENAME CONSTRAINT "mail_preferences_pkey" TO "email_preferences_pkey";--> statement-breakpoint
ALTER TABLE "email_preferences" RENAME CONSTRAINT "mail_preferences_user_id_users_id_fk" TO "email_preferences_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "mail_events" RENAME TO "email_events";--> statement-breakpoint
ALTER TABLE "email_events" RENAME COLUMN "robot" TO "is_bot";--> statement-breakpoint
ALTER TABLE "email_events" RENAME CONSTRAINT "mail_events_pkey" TO "email_events_pkey";--> statement-breakpoint
ALTER SEQUENCE "mail_events_id_seq" RENAME TO "email_events_id_seq";--> statement-breakpoint
ALTER INDEX "mail_events_source_external_id_key" RENAME TO "email_events_source_external_id_key";--> statement-breakpoint
ALTER INDEX "mail_events_delivery_id_idx" RENAME TO "email_events_delivery_id_idx";--> statement-breakpoint
ALTER INDEX "mail_events_email_idx" RENAME TO "email_events_email_idx";--> statement-breakpoint
ALTER TABLE "account_emails" RENAME COLUMN "problem" TO "error";--> statement-breakpoint
ALTER TABLE "account_emails" RENAME COLUMN "asked_at" TO "requested_at";--> statement-breakpoint
ALTER INDEX "account_emails_email_asked_at_idx" RENAME TO "account_emails_email_requested_at_idx";--> statement-breakpoint
ALTER INDEX "account_emails_asked_at_idx" RENAME TO "account_emails_requested_at_idx";--> statement-breakpoint
UPDATE "account_emails" SET "status" = CASE "status" WHEN 'waiting' THEN 'queued' ELSE 'skipped' END WHERE "status" IN ('waiting', 'left-out');--> statement-breakpoint
UPDATE "email_events" SET "external_id" = replace("external_id", ' robot', ' bot') WHERE "source" = 'self' AND "external_id" LIKE '% robot%';
