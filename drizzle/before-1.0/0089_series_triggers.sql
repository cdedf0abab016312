CREATE TABLE "series_segment_member" (
	"series_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "series_segment_member_series_id_user_id_pk" PRIMARY KEY("series_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "series" ADD COLUMN "segment_version" text;--> statement-breakpoint
ALTER TABLE "series_event" ADD COLUMN "series_id" uuid;--> statement-breakpoint
ALTER TABLE "series_event" ADD COLUMN "by_series" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "series_segment_member" ADD CONSTRAINT "series_segment_member_series_id_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."series"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "series_segment_member" ADD CONSTRAINT "series_segment_member_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "series_segment_member_user_id_idx" ON "series_segment_member" USING btree ("user_id");--> statement-breakpoint
-- Series that wait for a tag or a field. A transaction of a series' steps sets `front_counter.by_series` to `yes`.
CREATE FUNCTION series_events_of_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.series_event (kind, user_id, at, series_id, by_series)
    SELECT 'tag_set', n.user_id, n.added_at, s.id, coalesce(current_setting('front_counter.by_series', true), '') = 'yes'
    FROM public.series s JOIN after_rows n ON n.tag = s.trigger ->> 'tag'
    WHERE s.status <> 'off' AND s.trigger ->> 'kind' = 'tag_set';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tags_series_event AFTER INSERT ON member_tags
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION series_events_of_tags();
--> statement-breakpoint
-- True if a field has the wanted value, or any value if none is wanted. One of several choices is enough.
CREATE FUNCTION has_field_value(field_values jsonb, field text, wanted text) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN field_values -> field IS NULL THEN false
    WHEN wanted IS NULL THEN true
    WHEN jsonb_typeof(field_values -> field) = 'array' THEN (field_values -> field) ? wanted
    ELSE field_values ->> field = wanted
  END
$$;
--> statement-breakpoint
CREATE FUNCTION series_events_of_new_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.series_event (kind, user_id, at, series_id, by_series)
    SELECT 'field_set', n.user_id, n.updated_at, s.id, coalesce(current_setting('front_counter.by_series', true), '') = 'yes'
    FROM public.series s JOIN after_rows n ON public.has_field_value(n.values, s.trigger ->> 'field', s.trigger ->> 'value')
    WHERE s.status <> 'off' AND s.trigger ->> 'kind' = 'field_set';
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Another value counts if any value is wanted.
CREATE FUNCTION series_events_of_changed_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.series_event (kind, user_id, at, series_id, by_series)
    SELECT 'field_set', n.user_id, n.updated_at, s.id, coalesce(current_setting('front_counter.by_series', true), '') = 'yes'
    FROM public.series s
    JOIN after_rows n ON public.has_field_value(n.values, s.trigger ->> 'field', s.trigger ->> 'value')
    JOIN before_rows o ON o.user_id = n.user_id
      AND o.values -> (s.trigger ->> 'field') IS DISTINCT FROM n.values -> (s.trigger ->> 'field')
      AND (s.trigger ->> 'value' IS NULL OR NOT public.has_field_value(o.values, s.trigger ->> 'field', s.trigger ->> 'value'))
    WHERE s.status <> 'off' AND s.trigger ->> 'kind' = 'field_set';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER field_values_series_event_in AFTER INSERT ON custom_field_values
  REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION series_events_of_new_fields();
--> statement-breakpoint
CREATE TRIGGER field_values_series_event_again AFTER UPDATE ON custom_field_values
  REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT
  EXECUTE FUNCTION series_events_of_changed_fields();
