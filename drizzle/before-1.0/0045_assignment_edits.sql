ALTER TABLE "team_assignment" ADD COLUMN "edited_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD COLUMN "removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD COLUMN "removed_at" timestamp with time zone;