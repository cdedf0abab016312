CREATE TABLE "team_invitation" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "team_seat" (
	"owner_id" uuid NOT NULL,
	"seat" smallint NOT NULL,
	"user_id" uuid NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	CONSTRAINT "team_seat_owner_id_seat_pk" PRIMARY KEY("owner_id","seat"),
	CONSTRAINT "team_seat_user_id_unique" UNIQUE("user_id"),
	CONSTRAINT "team_seat_number" CHECK ("team_seat"."seat" between 2 and 3),
	CONSTRAINT "team_seat_not_the_owner" CHECK ("team_seat"."user_id" <> "team_seat"."owner_id")
);
--> statement-breakpoint
ALTER TABLE "team_invitation" ADD CONSTRAINT "team_invitation_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_seat" ADD CONSTRAINT "team_seat_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_seat" ADD CONSTRAINT "team_seat_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitation_owner_id_email_key" ON "team_invitation" USING btree ("owner_id","email");--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitation_token_hash_key" ON "team_invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "team_invitation_email_idx" ON "team_invitation" USING btree ("email");