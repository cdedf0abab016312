ALTER TABLE "deliveries" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "resumed_after" jsonb;