ALTER TABLE "withdrawal" ADD COLUMN "refunded_cents" bigint;--> statement-breakpoint
ALTER TABLE "withdrawal" ADD COLUMN "credit_cents" bigint;