CREATE TABLE "revenue_currency_cohort" (
	"currency" text NOT NULL,
	"cohort" date NOT NULL,
	"month" date NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"customers" bigint DEFAULT 0 NOT NULL,
	"paid_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "revenue_currency_cohort_currency_cohort_month_pk" PRIMARY KEY("currency","cohort","month")
);
--> statement-breakpoint
CREATE TABLE "revenue_currency_month" (
	"currency" text NOT NULL,
	"month" date NOT NULL,
	"plan" text NOT NULL,
	"name" text NOT NULL,
	"cents" bigint DEFAULT 0 NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "revenue_currency_month_currency_month_plan_name_pk" PRIMARY KEY("currency","month","plan","name")
);
--> statement-breakpoint
CREATE TABLE "revenue_currency_offer" (
	"currency" text NOT NULL,
	"promotion_code_id" text NOT NULL,
	"subscriptions" bigint DEFAULT 0 NOT NULL,
	"customers" bigint DEFAULT 0 NOT NULL,
	"paid_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"discount_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "revenue_currency_offer_promotion_code_id_currency_pk" PRIMARY KEY("promotion_code_id","currency")
);
--> statement-breakpoint
ALTER TABLE "offer" ADD COLUMN "currency" text;--> statement-breakpoint
ALTER TABLE "revenue_change" ADD COLUMN "currency" text DEFAULT 'usd' NOT NULL;--> statement-breakpoint
ALTER TABLE "revenue_invoice" ADD COLUMN "due_tax_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "revenue_invoice" ADD COLUMN "paid_tax_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "revenue_invoice" ADD COLUMN "refunded_tax_cents" bigint DEFAULT 0 NOT NULL;