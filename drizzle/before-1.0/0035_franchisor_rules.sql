CREATE TABLE "franchisor_rules" (
	"user_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"rule" text NOT NULL,
	"note" text NOT NULL,
	"said_on" date,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "franchisor_rules_user_id_topic_pk" PRIMARY KEY("user_id","topic")
);
--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "touches" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "touches" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "touch_sets" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "touches" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "franchisor_rules" ADD CONSTRAINT "franchisor_rules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;