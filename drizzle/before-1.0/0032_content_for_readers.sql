CREATE TABLE "content_pages" (
	"id" text PRIMARY KEY NOT NULL,
	"page" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tools" ALTER COLUMN "rating" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "edition" integer;--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "checked_on" date;--> statement-breakpoint
ALTER TABLE "guides" ADD COLUMN "pages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "part_of_lead" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "issue_sections" ADD COLUMN "examples" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "worth" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "question" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "checked_on" date;--> statement-breakpoint
ALTER TABLE "prompt_categories" ADD COLUMN "checked_on" date;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "minutes" integer;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "focus_areas" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "data_label" text;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "touches" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "checks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "example" jsonb;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "criteria" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "price_note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "skip_if" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "checked_on" date;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "test_sheet" text;