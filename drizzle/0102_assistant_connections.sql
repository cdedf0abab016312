CREATE TYPE "auth"."oauth_authorization_status" AS ENUM('pending', 'approved', 'denied', 'expired');--> statement-breakpoint
CREATE TYPE "auth"."oauth_client_type" AS ENUM('public', 'confidential');--> statement-breakpoint
CREATE TYPE "auth"."oauth_registration_type" AS ENUM('dynamic', 'manual');--> statement-breakpoint
CREATE TABLE "auth"."oauth_authorizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"authorization_id" text NOT NULL,
	"client_id" uuid NOT NULL,
	"user_id" uuid,
	"redirect_uri" text NOT NULL,
	"scope" text NOT NULL,
	"state" text,
	"resource" text,
	"code_challenge" text,
	"status" "auth"."oauth_authorization_status" DEFAULT 'pending' NOT NULL,
	"authorization_code" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"approved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "auth"."oauth_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_secret_hash" text,
	"registration_type" "auth"."oauth_registration_type" NOT NULL,
	"redirect_uris" text NOT NULL,
	"grant_types" text NOT NULL,
	"client_name" text,
	"client_uri" text,
	"logo_uri" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"client_type" "auth"."oauth_client_type" DEFAULT 'confidential' NOT NULL,
	"token_endpoint_auth_method" text NOT NULL,
	"metadata_url" text
);
--> statement-breakpoint
CREATE TABLE "auth"."oauth_consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "auth"."oauth_token_families" (
	"id" uuid PRIMARY KEY NOT NULL,
	"consent_id" uuid NOT NULL,
	"resource" text NOT NULL,
	"code_hash" text NOT NULL,
	"refresh_token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"refreshed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth"."oauth_authorizations" ADD CONSTRAINT "oauth_authorizations_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "auth"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth"."oauth_authorizations" ADD CONSTRAINT "oauth_authorizations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth"."oauth_consents" ADD CONSTRAINT "oauth_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth"."oauth_consents" ADD CONSTRAINT "oauth_consents_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "auth"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth"."oauth_token_families" ADD CONSTRAINT "oauth_token_families_consent_id_oauth_consents_id_fk" FOREIGN KEY ("consent_id") REFERENCES "auth"."oauth_consents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_authorizations_authorization_id_key" ON "auth"."oauth_authorizations" USING btree ("authorization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_authorizations_authorization_code_key" ON "auth"."oauth_authorizations" USING btree ("authorization_code");--> statement-breakpoint
CREATE INDEX "oauth_authorizations_client_id_idx" ON "auth"."oauth_authorizations" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_authorizations_user_id_idx" ON "auth"."oauth_authorizations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oauth_authorizations_expires_at_idx" ON "auth"."oauth_authorizations" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_clients_metadata_url_key" ON "auth"."oauth_clients" USING btree ("metadata_url");--> statement-breakpoint
CREATE INDEX "oauth_clients_created_at_idx" ON "auth"."oauth_clients" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_consents_user_client_unique" ON "auth"."oauth_consents" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_consents_client_id_idx" ON "auth"."oauth_consents" USING btree ("client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_token_families_code_hash_key" ON "auth"."oauth_token_families" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "oauth_token_families_consent_id_idx" ON "auth"."oauth_token_families" USING btree ("consent_id");--> statement-breakpoint
CREATE INDEX "oauth_token_families_refreshed_at_idx" ON "auth"."oauth_token_families" USING btree ("refreshed_at");