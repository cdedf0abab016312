CREATE TABLE "former_team_member" (
	"user_id" uuid,
	"owner_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "former_team_member_owner_id_address_hash_pk" PRIMARY KEY("owner_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "seat_request" (
	"owner_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"seats" smallint NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"declined_at" timestamp with time zone,
	CONSTRAINT "seat_request_owner_id_user_id_pk" PRIMARY KEY("owner_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "team_domain" (
	"owner_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"email" text NOT NULL,
	"code_hash" text,
	"code_expires_at" timestamp with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"proven_at" timestamp with time zone,
	CONSTRAINT "team_domain_owner_id_domain_pk" PRIMARY KEY("owner_id","domain")
);
--> statement-breakpoint
ALTER TABLE "former_team_member" ADD CONSTRAINT "former_team_member_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_team_member" ADD CONSTRAINT "former_team_member_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_request" ADD CONSTRAINT "seat_request_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seat_request" ADD CONSTRAINT "seat_request_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_domain" ADD CONSTRAINT "team_domain_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_team_member_user_id_idx" ON "former_team_member" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "seat_request_user_id_idx" ON "seat_request" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "team_domain_proven_key" ON "team_domain" USING btree ("domain") WHERE proven_at is not null;