CREATE TABLE "plan_cancellation" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"plan" text NOT NULL,
	"canceled_at" timestamp with time zone NOT NULL,
	"reason" text,
	"comment" text
);
--> statement-breakpoint
CREATE TABLE "revenue_cohort_total" (
	"cohort" date NOT NULL,
	"month" date NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"customers" bigint DEFAULT 0 NOT NULL,
	"paid_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "revenue_cohort_total_cohort_month_pk" PRIMARY KEY("cohort","month")
);
--> statement-breakpoint
CREATE INDEX "plan_cancellation_canceled_at_idx" ON "plan_cancellation" USING btree ("canceled_at" DESC NULLS LAST,"subscription_id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "plan_cancellation_customer_id_idx" ON "plan_cancellation" USING btree ("customer_id");--> statement-breakpoint
WITH instants AS (
  SELECT customer_id, at, sum(yearly_cents) AS difference FROM revenue_change GROUP BY 1, 2
), movements AS (
  SELECT customer_id, at, sum(difference) OVER (PARTITION BY customer_id ORDER BY at) AS after, difference FROM instants
), payments AS (
  SELECT customer_id, paid_at AS at, paid_cents, refunded_cents FROM revenue_invoice
  WHERE currency = 'usd' AND paid_at IS NOT NULL
), starts AS (
  SELECT customer_id, date_trunc('month', min(at), 'UTC') AS cohort
  FROM (SELECT customer_id, at FROM instants UNION ALL SELECT customer_id, at FROM payments) AS happened GROUP BY 1
), totals AS (
  SELECT customer_id, cohort AS month, 1 AS started, 0 AS customers, 0 AS paid_cents, 0 AS refunded_cents
    FROM starts WHERE customer_id IN (SELECT customer_id FROM instants)
  UNION ALL SELECT customer_id, date_trunc('month', at, 'UTC'), 0,
    (after > 0)::int - (after - difference > 0)::int, 0, 0 FROM movements
  UNION ALL SELECT customer_id, date_trunc('month', at, 'UTC'), 0, 0, paid_cents, refunded_cents FROM payments
)
INSERT INTO revenue_cohort_total (cohort, month, started, customers, paid_cents, refunded_cents)
  SELECT (cohort AT TIME ZONE 'UTC')::date, (month AT TIME ZONE 'UTC')::date, sum(started), sum(customers),
    sum(paid_cents), sum(refunded_cents)
  FROM totals JOIN starts USING (customer_id) GROUP BY 1, 2;
