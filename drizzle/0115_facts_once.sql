-- An import writes a member's facts itself, after what they are made of.
CREATE OR REPLACE FUNCTION member_facts_of_new_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF current_setting('front_counter.facts_later', true) IS DISTINCT FROM 'on' THEN
    PERFORM add_member_facts(array(SELECT id FROM changed));
  END IF;
  RETURN NULL;
END $$;
