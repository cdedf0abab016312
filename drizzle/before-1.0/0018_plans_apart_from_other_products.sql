CREATE TABLE "duplicate_subscription" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"product_id" text,
	"refunded_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"noticed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "duplicate_subscription" ADD CONSTRAINT "duplicate_subscription_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "duplicate_subscription_user_id_idx" ON "duplicate_subscription" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "subscription_state" DROP COLUMN "sync_error";--> statement-breakpoint
-- Revenue is that of our own plans. With `seen` empty, the next sync of each customer books what is left anew.
DELETE FROM "revenue_change" WHERE "plan" = 'other';--> statement-breakpoint
DELETE FROM "revenue_invoice" WHERE "plan" = 'other';--> statement-breakpoint
DELETE FROM "revenue_figure" WHERE "plan" = 'other';--> statement-breakpoint
UPDATE "revenue_customer" SET "seen" = '';
