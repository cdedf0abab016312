ALTER TABLE "webhook_endpoints" ADD COLUMN "former_sealed_secret" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "former_secret_until" timestamp with time zone;