CREATE TABLE "team_assignment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"assigned_to" text NOT NULL,
	"assignee_id" uuid,
	"location_id" uuid,
	"due_on" date,
	"note" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"done_by" uuid,
	"checked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "team_collection_item" (
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"item_id" text NOT NULL,
	"member" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "team_collection_item_owner_id_kind_item_id_pk" PRIMARY KEY("owner_id","kind","item_id")
);
--> statement-breakpoint
CREATE TABLE "team_seat_location" (
	"user_id" uuid NOT NULL,
	"location_id" uuid NOT NULL,
	CONSTRAINT "team_seat_location_user_id_location_id_pk" PRIMARY KEY("user_id","location_id")
);
--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_location_id_business_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."business_location"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_done_by_users_id_fk" FOREIGN KEY ("done_by") REFERENCES "auth"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_assignment" ADD CONSTRAINT "team_assignment_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_collection_item" ADD CONSTRAINT "team_collection_item_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_collection_item" ADD CONSTRAINT "team_collection_item_kind_item_id_content_items_kind_id_fk" FOREIGN KEY ("kind","item_id") REFERENCES "public"."content_items"("kind","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_seat_location" ADD CONSTRAINT "team_seat_location_user_id_team_seat_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."team_seat"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_seat_location" ADD CONSTRAINT "team_seat_location_location_id_business_location_id_fk" FOREIGN KEY ("location_id") REFERENCES "public"."business_location"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "team_assignment_owner_id_created_at_idx" ON "team_assignment" USING btree ("owner_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "team_assignment_assignee_id_idx" ON "team_assignment" USING btree ("assignee_id");--> statement-breakpoint
CREATE INDEX "team_assignment_location_id_idx" ON "team_assignment" USING btree ("location_id");--> statement-breakpoint
CREATE INDEX "team_assignment_created_by_idx" ON "team_assignment" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "team_assignment_done_by_idx" ON "team_assignment" USING btree ("done_by");--> statement-breakpoint
CREATE INDEX "team_seat_location_location_id_idx" ON "team_seat_location" USING btree ("location_id");