CREATE TABLE "item_votes" (
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"useful" boolean NOT NULL,
	"why" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "item_votes_kind_item_id_user_id_pk" PRIMARY KEY("kind","item_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "poll_votes" (
	"issue_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"answer" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "poll_votes_issue_id_user_id_pk" PRIMARY KEY("issue_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "question_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"issue_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"question" text NOT NULL,
	"text" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "poll_question" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "poll_answers" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "subject_index" smallint;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "subject_test" jsonb;--> statement-breakpoint
ALTER TABLE "mailings" ADD COLUMN "subject_test_result" jsonb;--> statement-breakpoint
ALTER TABLE "item_votes" ADD CONSTRAINT "item_votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "poll_votes" ADD CONSTRAINT "poll_votes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_answers" ADD CONSTRAINT "question_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "item_votes_user_id_idx" ON "item_votes" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "poll_votes_user_id_idx" ON "poll_votes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "question_answers_at_idx" ON "question_answers" USING btree ("at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "question_answers_issue_id_idx" ON "question_answers" USING btree ("issue_id","user_id");--> statement-breakpoint
CREATE INDEX "question_answers_user_id_idx" ON "question_answers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "deliveries_subject_idx" ON "deliveries" USING btree ("mailing_id","subject_index") WHERE subject_index is not null;--> statement-breakpoint
CREATE INDEX "deliveries_test_open_idx" ON "deliveries" USING btree ("mailing_id","id") WHERE subject_index is not null and status in ('pending', 'sending');