CREATE TABLE "staff_email_choice" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"chosen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_email_choice_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "staff_email_sent" (
	"kind" text PRIMARY KEY NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "staff_email_choice" ADD CONSTRAINT "staff_email_choice_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_email_choice_kind_idx" ON "staff_email_choice" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "staff_event_kind_idx" ON "staff_event" USING btree ("kind");--> statement-breakpoint
CREATE FUNCTION record_new_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM public.staff_email_choice WHERE kind = 'member') THEN
    INSERT INTO public.staff_event (kind, count)
      SELECT 'member', count(*) FROM added WHERE email IS NOT NULL AND NOT is_anonymous HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_staff_event AFTER INSERT ON auth.users
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_new_members();
