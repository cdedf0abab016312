ALTER TABLE "trial_had" RENAME TO "trial_usage";--> statement-breakpoint
ALTER TABLE "trial_usage" RENAME CONSTRAINT "trial_had_pkey" TO "trial_usage_pkey";--> statement-breakpoint
ALTER TABLE "trial_card" RENAME TO "trial_card_usage";--> statement-breakpoint
ALTER TABLE "trial_card_usage" RENAME CONSTRAINT "trial_card_pkey" TO "trial_card_usage_pkey";--> statement-breakpoint
ALTER TABLE "trial_card_usage" RENAME CONSTRAINT "trial_card_subscription_id_unique" TO "trial_card_usage_subscription_id_unique";--> statement-breakpoint
ALTER TABLE "revenue_figure" RENAME TO "revenue_monthly_total";--> statement-breakpoint
ALTER TABLE "revenue_monthly_total" RENAME CONSTRAINT "revenue_figure_month_plan_name_pk" TO "revenue_monthly_total_month_plan_name_pk";--> statement-breakpoint
ALTER TABLE "revenue_customer" RENAME COLUMN "seen" TO "state_hash";--> statement-breakpoint
ALTER TABLE "revenue_customer" RENAME COLUMN "unbilled_at" TO "unbilled_since";--> statement-breakpoint
ALTER TABLE "duplicate_subscription" RENAME COLUMN "noticed_at" TO "detected_at";--> statement-breakpoint
UPDATE "duplicate_subscription" SET "outcome" = 'left_active' WHERE "outcome" = 'left';--> statement-breakpoint
ALTER TABLE "subscription_state" RENAME COLUMN "test_now" TO "test_clock_time";
