CREATE TABLE "revenue_change" (
	"customer_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"plan" text NOT NULL,
	"kind" text NOT NULL,
	"yearly_cents" bigint NOT NULL,
	"customers" smallint NOT NULL,
	CONSTRAINT "revenue_change_customer_id_at_plan_pk" PRIMARY KEY("customer_id","at","plan")
);
--> statement-breakpoint
CREATE TABLE "revenue_customer" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"sync_seq" bigint NOT NULL,
	"seen" text NOT NULL,
	"unbilled_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "revenue_figure" (
	"month" date NOT NULL,
	"plan" text NOT NULL,
	"name" text NOT NULL,
	"cents" bigint DEFAULT 0 NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "revenue_figure_month_plan_name_pk" PRIMARY KEY("month","plan","name")
);
--> statement-breakpoint
CREATE TABLE "revenue_invoice" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"subscription_id" text,
	"plan" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"due_cents" bigint NOT NULL,
	"paid_cents" bigint NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"paid_at" timestamp with time zone,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "revenue_change" ADD CONSTRAINT "revenue_change_customer_id_revenue_customer_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."revenue_customer"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "revenue_invoice" ADD CONSTRAINT "revenue_invoice_customer_id_revenue_customer_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."revenue_customer"("customer_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "revenue_invoice_customer_id_idx" ON "revenue_invoice" USING btree ("customer_id");