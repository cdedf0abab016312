CREATE TABLE "member_tags" (
	"user_id" uuid NOT NULL,
	"tag" text NOT NULL,
	"joined_micros" bigint NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	"added_by" text,
	"added_by_id" uuid,
	CONSTRAINT "member_tags_user_id_tag_pk" PRIMARY KEY("user_id","tag")
);
--> statement-breakpoint
ALTER TABLE "member_tags" ADD CONSTRAINT "member_tags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_tags_tag_joined_idx" ON "member_tags" USING btree ("tag","joined_micros" DESC NULLS LAST,"user_id" DESC NULLS LAST);