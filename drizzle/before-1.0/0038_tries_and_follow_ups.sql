CREATE TABLE "reader_wage" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"cents" integer,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tries" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"outcome" text,
	"minutes_per_week" integer,
	"note" text DEFAULT '' NOT NULL,
	"shared_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	"counted_outcome" text,
	"asked_at" timestamp with time zone,
	CONSTRAINT "tries_user_id_kind_item_id_pk" PRIMARY KEY("user_id","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "try_days" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"day" date NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"minutes_per_week" integer,
	CONSTRAINT "try_days_user_id_kind_item_id_day_pk" PRIMARY KEY("user_id","kind","item_id","day")
);
--> statement-breakpoint
CREATE TABLE "try_totals" (
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"worked" integer DEFAULT 0 NOT NULL,
	"worked_with_changes" integer DEFAULT 0 NOT NULL,
	"did_not_work" integer DEFAULT 0 NOT NULL,
	"gone" integer DEFAULT 0 NOT NULL,
	"breakdown" jsonb,
	"counted_at" timestamp with time zone,
	CONSTRAINT "try_totals_kind_item_id_pk" PRIMARY KEY("kind","item_id")
);
--> statement-breakpoint
ALTER TABLE "email_preferences" ADD COLUMN "follow_ups" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "reader_wage" ADD CONSTRAINT "reader_wage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tries" ADD CONSTRAINT "tries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tries" ADD CONSTRAINT "tries_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "try_days" ADD CONSTRAINT "try_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "try_days" ADD CONSTRAINT "try_days_user_id_kind_item_id_tries_user_id_kind_item_id_fk" FOREIGN KEY ("user_id","kind","item_id") REFERENCES "public"."tries"("user_id","kind","item_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tries_item_idx" ON "tries" USING btree ("kind","item_id","counted_outcome");--> statement-breakpoint
CREATE INDEX "tries_uncounted_idx" ON "tries" USING btree ("kind","item_id") WHERE outcome is distinct from counted_outcome;--> statement-breakpoint
CREATE INDEX "tries_due_idx" ON "tries" USING btree ("started_at") WHERE answered_at is null and removed_at is null and asked_at is null;--> statement-breakpoint
CREATE INDEX "tries_shared_idx" ON "tries" USING btree ("shared_at" DESC NULLS LAST) WHERE shared_at is not null;