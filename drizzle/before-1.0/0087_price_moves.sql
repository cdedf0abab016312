CREATE TABLE "price_move" (
	"id" uuid PRIMARY KEY NOT NULL,
	"plan" text NOT NULL,
	"price_id" text NOT NULL,
	"price_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"notice_days" integer NOT NULL,
	"status" text NOT NULL,
	"created_by" text,
	"created_by_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "price_move_member" (
	"move_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"subscription_id" text NOT NULL,
	"old_cents" bigint NOT NULL,
	"new_cents" bigint NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "price_move_member_move_id_user_id_pk" PRIMARY KEY("move_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "subscription_state" ADD COLUMN "quantity" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "price_move_member" ADD CONSTRAINT "price_move_member_move_id_price_move_id_fk" FOREIGN KEY ("move_id") REFERENCES "public"."price_move"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_move_member" ADD CONSTRAINT "price_move_member_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "price_move_open_key" ON "price_move" USING btree ("plan") WHERE "price_move"."status" not in ('finished', 'canceled');--> statement-breakpoint
CREATE INDEX "price_move_created_at_idx" ON "price_move" USING btree ("plan","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "price_move_member_user_id_idx" ON "price_move_member" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "price_move_member_effective_at_idx" ON "price_move_member" USING btree ("move_id","state","effective_at");