CREATE TABLE "task_answer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assignment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"photo_id" uuid,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_link" (
	"assignment_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"round" integer NOT NULL,
	"crew" text NOT NULL,
	"language" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "task_link_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "task_opening" (
	"assignment_id" uuid NOT NULL,
	"name" text NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "task_opening_assignment_id_name_pk" PRIMARY KEY("assignment_id","name")
);
--> statement-breakpoint
CREATE TABLE "task_photo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "team_assignment" ALTER COLUMN "kind" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "team_assignment" ALTER COLUMN "item_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD COLUMN "text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD COLUMN "done_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "task_answer" ADD CONSTRAINT "task_answer_assignment_id_team_assignment_id_fk" FOREIGN KEY ("assignment_id") REFERENCES "public"."team_assignment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_link" ADD CONSTRAINT "task_link_assignment_id_team_assignment_id_fk" FOREIGN KEY ("assignment_id") REFERENCES "public"."team_assignment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_link" ADD CONSTRAINT "task_link_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_opening" ADD CONSTRAINT "task_opening_assignment_id_team_assignment_id_fk" FOREIGN KEY ("assignment_id") REFERENCES "public"."team_assignment"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "task_answer_assignment_id_at_idx" ON "task_answer" USING btree ("assignment_id","at");--> statement-breakpoint
CREATE INDEX "task_link_created_by_idx" ON "task_link" USING btree ("created_by");--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_item" CHECK (("team_assignment"."kind" is null) = ("team_assignment"."item_id" is null));