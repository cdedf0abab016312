-- The schema of version 1.0.0, for new databases. Those of earlier versions get there by the migrations in before-1.0/;
-- a test compares both. Functions may use tables that come later.
SET LOCAL check_function_bodies = false;

CREATE SCHEMA auth;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TYPE auth.aal_level AS ENUM (
    'aal1',
    'aal2',
    'aal3'
);

CREATE TYPE auth.code_challenge_method AS ENUM (
    's256',
    'plain'
);

CREATE TYPE auth.factor_status AS ENUM (
    'unverified',
    'verified'
);

CREATE TYPE auth.factor_type AS ENUM (
    'totp',
    'webauthn',
    'phone'
);

CREATE TYPE auth.one_time_token_type AS ENUM (
    'confirmation_token',
    'reauthentication_token',
    'recovery_token',
    'email_change_token_new',
    'email_change_token_current',
    'phone_change_token'
);

CREATE FUNCTION public.add_member_facts(ids uuid[]) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO member_facts (user_id, created_at, joined_micros, search, email_confirmed, disabled_until, last_signed_in_at,
    plan_status, product_id, plan_until, renews_at, seat_product_id, seat_until, complimentary_until, answers,
    franchise_type, locations, tags, suppressed, field_tokens)
  SELECT c.*, coalesce((SELECT v.tokens FROM custom_field_values v WHERE v.user_id = c.user_id), '{}')
  FROM current_member_facts(ids) c ON CONFLICT DO NOTHING
$$;

CREATE TABLE public.mailing_counts (
    mailing_id uuid NOT NULL,
    name text NOT NULL,
    cause text DEFAULT ''::text NOT NULL,
    value bigint DEFAULT 0 NOT NULL
);

CREATE FUNCTION public.add_to_mailing_counts(changes public.mailing_counts[]) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO mailing_counts (mailing_id, name, cause, value)
    SELECT mailing_id, name, cause, sum(value) FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(value) <> 0
    ORDER BY 1, 2, 3
    ON CONFLICT (mailing_id, name, cause) DO UPDATE SET value = mailing_counts.value + excluded.value;
$$;

CREATE TABLE public.mailing_hours (
    mailing_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    name text NOT NULL,
    value bigint DEFAULT 0 NOT NULL
);

CREATE FUNCTION public.add_to_mailing_hours(changes public.mailing_hours[]) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO mailing_hours (mailing_id, hour, name, value)
    SELECT mailing_id, hour, name, sum(value) FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(value) <> 0
    ORDER BY 1, 2, 3
    ON CONFLICT (mailing_id, hour, name) DO UPDATE SET value = mailing_hours.value + excluded.value;
$$;

CREATE TABLE public.mailing_links (
    mailing_id uuid NOT NULL,
    url text NOT NULL,
    readers bigint DEFAULT 0 NOT NULL,
    bots bigint DEFAULT 0 NOT NULL
);

CREATE FUNCTION public.add_to_mailing_links(changes public.mailing_links[]) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO mailing_links (mailing_id, url, readers, bots)
    SELECT mailing_id, url, sum(readers), sum(bots) FROM unnest(changes) GROUP BY 1, 2
    HAVING sum(readers) <> 0 OR sum(bots) <> 0 ORDER BY 1, 2
    ON CONFLICT (mailing_id, url) DO UPDATE
      SET readers = mailing_links.readers + excluded.readers, bots = mailing_links.bots + excluded.bots;
$$;

CREATE FUNCTION public.count_inserted_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, status, coalesce(cause, ''), count(*))::mailing_counts
    FROM after_rows GROUP BY mailing_id, status, cause)
  || array(
    SELECT (mailing_id, 'delivered', '', count(*))::mailing_counts
    FROM after_rows WHERE status = 'submitted' AND bounce_type IS NULL GROUP BY mailing_id));
  PERFORM add_to_mailing_hours(array(
    SELECT (mailing_id, date_trunc('hour', changed_at, 'UTC'), 'submitted', count(*))::mailing_hours
    FROM after_rows WHERE status = 'submitted' AND changed_at IS NOT NULL
    GROUP BY mailing_id, date_trunc('hour', changed_at, 'UTC')));
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_inserted_email_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_to_mailing_links(array(
    SELECT (d.mailing_id, e.detail, count(*) FILTER (WHERE NOT e.is_bot), count(*) FILTER (WHERE e.is_bot))::mailing_links
    FROM after_rows e JOIN deliveries d ON d.id = e.delivery_id
    WHERE e.type = 'clicked' AND e.detail IS NOT NULL GROUP BY d.mailing_id, e.detail));
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_live_subscriptions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  difference bigint := 0;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    difference := (SELECT coalesce(sum(is_live_subscription(status)), 0) FROM after_rows);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    difference := difference - (SELECT coalesce(sum(is_live_subscription(status)), 0) FROM before_rows);
  END IF;
  IF difference <> 0 THEN
    INSERT INTO counters (name, bucket, value) VALUES ('subscriptions_live', 'epoch'::timestamptz, difference)
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_updated_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_to_mailing_counts(array(
    SELECT (mailing_id, name, cause, sum(difference))::mailing_counts FROM (
      SELECT mailing_id, status AS name, coalesce(cause, '') AS cause, 1 AS difference FROM after_rows
      UNION ALL SELECT mailing_id, status, coalesce(cause, ''), -1 FROM before_rows
      UNION ALL SELECT mailing_id, 'delivered', '', 1 FROM after_rows WHERE status = 'submitted' AND bounce_type IS NULL
      UNION ALL SELECT mailing_id, 'delivered', '', -1 FROM before_rows WHERE status = 'submitted' AND bounce_type IS NULL
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', 1 FROM after_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, bounce_type || '_bounces', '', -1 FROM before_rows WHERE bounce_type IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', 1 FROM after_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'complaints', '', -1 FROM before_rows WHERE complained_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'unsubscribed', '', 1 FROM after_rows WHERE unsubscribed_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'unsubscribed', '', -1 FROM before_rows WHERE unsubscribed_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', 1 FROM after_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'opened', '', -1 FROM before_rows WHERE opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', 1 FROM after_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'clicked', '', -1 FROM before_rows WHERE clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', 1 FROM after_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_opened', '', -1 FROM before_rows WHERE bot_opened_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', 1 FROM after_rows WHERE bot_clicked_at IS NOT NULL
      UNION ALL SELECT mailing_id, 'bot_clicked', '', -1 FROM before_rows WHERE bot_clicked_at IS NOT NULL
    ) AS differences GROUP BY mailing_id, name, cause HAVING sum(difference) <> 0));
  PERFORM add_to_mailing_hours(array(
    SELECT (mailing_id, date_trunc('hour', at, 'UTC'), name, sum(difference))::mailing_hours FROM (
      SELECT mailing_id, changed_at AS at, 'submitted' AS name, 1 AS difference FROM after_rows WHERE status = 'submitted'
      UNION ALL SELECT mailing_id, changed_at, 'submitted', -1 FROM before_rows WHERE status = 'submitted'
      UNION ALL SELECT mailing_id, opened_at, 'opened', 1 FROM after_rows
      UNION ALL SELECT mailing_id, opened_at, 'opened', -1 FROM before_rows
      UNION ALL SELECT mailing_id, clicked_at, 'clicked', 1 FROM after_rows
      UNION ALL SELECT mailing_id, clicked_at, 'clicked', -1 FROM before_rows
      UNION ALL SELECT mailing_id, unsubscribed_at, 'unsubscribed', 1 FROM after_rows
      UNION ALL SELECT mailing_id, unsubscribed_at, 'unsubscribed', -1 FROM before_rows
    ) AS differences WHERE at IS NOT NULL
    GROUP BY mailing_id, date_trunc('hour', at, 'UTC'), name HAVING sum(difference) <> 0));
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_updated_email_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_to_mailing_links(array(
    SELECT (d.mailing_id, e.detail, coalesce(sum(e.difference) FILTER (WHERE NOT e.is_bot), 0),
      coalesce(sum(e.difference) FILTER (WHERE e.is_bot), 0))::mailing_links
    FROM (
      SELECT delivery_id, detail, is_bot, 1 AS difference FROM after_rows WHERE type = 'clicked'
      UNION ALL SELECT delivery_id, detail, is_bot, -1 FROM before_rows WHERE type = 'clicked'
    ) e JOIN deliveries d ON d.id = e.delivery_id
    WHERE e.detail IS NOT NULL GROUP BY d.mailing_id, e.detail));
  RETURN NULL;
END $$;

CREATE FUNCTION public.count_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_total', 'epoch'::timestamptz, count(*) FROM changed HAVING count(*) > 0
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_by_hour', date_trunc('hour', created_at, 'UTC'), count(*) FROM changed GROUP BY 2 ORDER BY 2
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  ELSE
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_total', 'epoch'::timestamptz, -count(*) FROM changed HAVING count(*) > 0
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
    INSERT INTO counters (name, bucket, value)
      SELECT 'users_by_hour', date_trunc('hour', created_at, 'UTC'), -count(*) FROM changed GROUP BY 2 ORDER BY 2
      ON CONFLICT (name, bucket) DO UPDATE SET value = counters.value + excluded.value;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.current_member_facts(ids uuid[]) RETURNS TABLE(user_id uuid, created_at timestamp with time zone, joined_micros bigint, search text, email_confirmed boolean, disabled_until timestamp with time zone, last_signed_in_at timestamp with time zone, plan_status text, product_id text, plan_until timestamp with time zone, renews_at timestamp with time zone, seat_product_id text, seat_until timestamp with time zone, complimentary_until timestamp with time zone, answers text[], franchise_type text, locations integer, tags text[], suppressed boolean)
    LANGUAGE sql STABLE
    AS $$
  SELECT u.id, u.created_at, (extract(epoch FROM u.created_at) * 1000000)::bigint,
    member_search_text(u.email, u.raw_user_meta_data), u.email_confirmed_at IS NOT NULL, u.banned_until, u.last_sign_in_at,
    CASE WHEN own.status = 'active' AND own.pause_starts_at IS NOT NULL THEN 'pausing'
      WHEN own.status NOT IN ('none', 'incomplete', 'incomplete_expired') THEN own.status END, own.product_id,
    CASE WHEN own.user_id IS NOT NULL THEN plan_access_end(own) END,
    coalesce(CASE WHEN own.status IN ('active', 'trialing', 'past_due') AND own.cancel_at IS NULL
      THEN CASE WHEN own.pause_starts_at IS NULL THEN own.current_period_end ELSE own.pause_ends_at END END, 'infinity'),
    owned.product_id, CASE WHEN owned.user_id IS NOT NULL THEN plan_access_end(owned) END, given.until,
    CASE WHEN p.user_id IS NULL THEN '{}' ELSE
      array(SELECT 'area:' || a FROM unnest(p.focus_areas) a) || array(SELECT 'goal:' || g FROM unnest(p.goals) g)
      || ('level:' || p.ai_level) END,
    p.franchise_type,
    (SELECT count(*)::int FROM business_location l WHERE l.user_id = u.id),
    array(SELECT t.tag FROM member_tags t WHERE t.user_id = u.id ORDER BY 1),
    EXISTS (SELECT 1 FROM suppressions s WHERE s.email = u.email AND s.lifted_at IS NULL)
  FROM auth.users u
  LEFT JOIN subscription_state own ON own.user_id = u.id
  LEFT JOIN team_seat seat ON seat.user_id = u.id
  LEFT JOIN subscription_state owned ON owned.user_id = seat.owner_id
  LEFT JOIN complimentary_access given ON given.user_id = u.id
  LEFT JOIN user_preferences p ON p.user_id = u.id
  WHERE u.id = ANY (ids) AND u.deleted_at IS NULL
$$;

CREATE FUNCTION public.emit_drop_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.published_at IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.published_at IS NULL) THEN
    PERFORM public.emit_webhook_event('drop.published', NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_mailing_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.status = 'sent' AND OLD.status <> 'sent' AND NEW.kind NOT IN ('follow-up', 'series') THEN
    PERFORM public.emit_webhook_event('mailing.sent', NEW.id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_member_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.email IS NOT NULL THEN PERFORM public.emit_webhook_event('member.created', NEW.id::text); END IF;
  ELSIF TG_OP = 'DELETE' OR (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) THEN
    DELETE FROM public.webhook_events WHERE subject = OLD.id::text;
    PERFORM public.emit_webhook_event('member.deleted', OLD.id::text);
  ELSIF NEW.deleted_at IS NULL AND NEW.email IS NOT NULL
      AND (NEW.email, NEW.raw_user_meta_data) IS DISTINCT FROM (OLD.email, OLD.raw_user_meta_data) THEN
    PERFORM public.emit_webhook_event(CASE WHEN OLD.email IS NULL THEN 'member.created' ELSE 'member.updated' END, NEW.id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_newsletter_unsubscribed_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM public.emit_webhook_event('member.unsubscribed', NEW.user_id::text);
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_subscription_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  was_live boolean := TG_OP = 'UPDATE' AND OLD.status IN ('active', 'trialing', 'past_due');
  is_live boolean := NEW.status IN ('active', 'trialing', 'past_due');
BEGIN
  IF is_live AND NOT was_live THEN
    PERFORM public.emit_webhook_event('subscription.started', NEW.user_id::text);
  ELSIF was_live AND NOT is_live THEN
    PERFORM public.emit_webhook_event('subscription.ended', NEW.user_id::text);
  ELSIF is_live AND (NEW.status, NEW.price_id, NEW.cancel_at, NEW.pause_starts_at)
    IS DISTINCT FROM (OLD.status, OLD.price_id, OLD.cancel_at, OLD.pause_starts_at) THEN
    PERFORM public.emit_webhook_event('subscription.changed', NEW.user_id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_tag_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  member uuid := CASE WHEN TG_OP = 'INSERT' THEN NEW.user_id ELSE OLD.user_id END;
BEGIN
  -- Tags that go with their member aren't a change of it.
  IF EXISTS (SELECT FROM auth.users u WHERE u.id = member) THEN
    PERFORM public.emit_webhook_event('member.updated', member::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_unsubscribed_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF (NEW.drops = 'off' AND (TG_OP = 'INSERT' OR OLD.drops <> 'off')) OR (NOT NEW.news AND (TG_OP = 'INSERT' OR OLD.news)) THEN
    PERFORM public.emit_webhook_event('member.unsubscribed', NEW.user_id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.emit_webhook_event(event_type text, event_subject text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  new_id uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM public.webhook_endpoints e WHERE e.disabled_at IS NULL AND event_type = ANY (e.events)) THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM public.webhook_events v
      WHERE v.subject = event_subject AND v.type = event_type AND v.created_at = now()) THEN
    RETURN;
  END IF;
  INSERT INTO public.webhook_events (type, subject, created_at) VALUES (event_type, event_subject, now()) RETURNING id INTO new_id;
  INSERT INTO public.webhook_deliveries (event_id, endpoint_id)
    SELECT new_id, e.id FROM public.webhook_endpoints e WHERE e.disabled_at IS NULL AND event_type = ANY (e.events);
END $$;

CREATE FUNCTION public.fold_name(given text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT CASE WHEN given ~ '^[\x01-\x7f]*$' THEN lower(given COLLATE "C") ELSE
    translate(lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "C"),
      'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿẞỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡',
      'æðøþđħłŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωσϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽᲊაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿßỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃') END
$_$;

CREATE FUNCTION public.has_field_value(field_values jsonb, field text, wanted text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE
    WHEN field_values -> field IS NULL THEN false
    WHEN wanted IS NULL THEN true
    WHEN jsonb_typeof(field_values -> field) = 'array' THEN (field_values -> field) ? wanted
    ELSE field_values ->> field = wanted
  END
$$;

CREATE FUNCTION public.is_live_subscription(status text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT CASE WHEN status IN ('active', 'trialing', 'past_due') THEN 1 ELSE 0 END $$;

CREATE FUNCTION public.member_facts_of_changed_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL THEN
    DELETE FROM member_facts WHERE user_id = NEW.id;
  ELSIF OLD.deleted_at IS NOT NULL THEN
    PERFORM add_member_facts(array[NEW.id]);
  ELSIF OLD.email IS NOT DISTINCT FROM NEW.email THEN
    UPDATE member_facts SET search = member_search_text(NEW.email, NEW.raw_user_meta_data),
      email_confirmed = NEW.email_confirmed_at IS NOT NULL, disabled_until = NEW.banned_until,
      last_signed_in_at = NEW.last_sign_in_at
    WHERE user_id = NEW.id;
  ELSE
    PERFORM refresh_member_facts(array[NEW.id]);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_field_values() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE member_facts f SET field_tokens = '{}' FROM before_rows v
    WHERE f.user_id = v.user_id AND f.field_tokens <> '{}';
  ELSE
    UPDATE member_facts f SET field_tokens = v.tokens FROM after_rows v
    WHERE f.user_id = v.user_id AND f.field_tokens <> v.tokens;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_new_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE member_facts f SET last_opened_at = greatest(f.last_opened_at, seen.opened),
    last_clicked_at = greatest(f.last_clicked_at, seen.clicked)
  FROM (
    SELECT user_id, max(opened_at) AS opened, max(clicked_at) AS clicked FROM after_rows
    WHERE opened_at IS NOT NULL OR clicked_at IS NOT NULL GROUP BY user_id
  ) seen
  WHERE f.user_id = seen.user_id;
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_new_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_member_facts(array(SELECT id FROM changed));
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_notes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  member uuid := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
BEGIN
  UPDATE member_facts f SET noted = has.notes
  FROM (SELECT EXISTS (SELECT 1 FROM member_notes n WHERE n.user_id = member) AS notes) has
  WHERE f.user_id = member AND f.noted <> has.notes;
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_rows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM refresh_member_facts(array(SELECT DISTINCT user_id FROM before_rows ORDER BY 1));
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM refresh_member_facts(array(SELECT DISTINCT user_id FROM after_rows ORDER BY 1));
  ELSE
    PERFORM refresh_member_facts(array(SELECT user_id FROM before_rows UNION SELECT user_id FROM after_rows ORDER BY 1));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_subscriptions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  owners uuid[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    owners := array(SELECT user_id FROM before_rows);
  ELSIF TG_OP = 'INSERT' THEN
    owners := array(SELECT user_id FROM after_rows);
  ELSE
    owners := array(SELECT user_id FROM before_rows UNION SELECT user_id FROM after_rows);
  END IF;
  PERFORM refresh_member_facts(array(
    SELECT unnest(owners) UNION SELECT user_id FROM team_seat WHERE owner_id = ANY (owners) ORDER BY 1));
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_facts_of_suppressions() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  addresses text[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    addresses := array(SELECT email FROM before_rows);
  ELSIF TG_OP = 'INSERT' THEN
    addresses := array(SELECT email FROM after_rows);
  ELSE
    addresses := array(SELECT email FROM before_rows UNION SELECT email FROM after_rows);
  END IF;
  PERFORM refresh_member_facts(array(SELECT id FROM auth.users WHERE email = ANY (addresses::varchar[]) ORDER BY 1));
  RETURN NULL;
END $$;

CREATE FUNCTION public.member_search_text(email text, metadata jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT fold_name(concat_ws(' ', email, coalesce(
    CASE WHEN jsonb_typeof(metadata -> 'full_name') = 'string' THEN nullif(trim(metadata ->> 'full_name'), '') END,
    CASE WHEN jsonb_typeof(metadata -> 'name') = 'string' THEN nullif(trim(metadata ->> 'name'), '') END)))
$$;

CREATE FUNCTION public.member_tokens(answers text[], tags text[], franchise_type text, plan_status text, product_id text, seat_until timestamp with time zone, complimentary_until timestamp with time zone, disabled_until timestamp with time zone, locations integer, email_confirmed boolean, suppressed boolean, noted boolean, signed_in_at timestamp with time zone, opened_at timestamp with time zone, clicked_at timestamp with time zone, created_at timestamp with time zone, renews_at timestamp with time zone, plan_until timestamp with time zone) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT answers || array(SELECT 'tag:' || t FROM unnest(tags) t) || array_remove(ARRAY[
    'type:' || franchise_type, 'status:' || coalesce(plan_status, 'none'),
    'plan:' || coalesce(product_id, CASE WHEN plan_status IS NOT NULL THEN 'none' END),
    'locations:' || least(locations, 20),
    CASE WHEN seat_until IS NOT NULL THEN 'seat' END, CASE WHEN complimentary_until IS NOT NULL THEN 'complimentary' END,
    CASE WHEN disabled_until IS NOT NULL THEN 'disabled' END, CASE WHEN NOT email_confirmed THEN 'unconfirmed' END,
    CASE WHEN suppressed THEN 'suppressed' END, CASE WHEN noted THEN 'noted' END,
    'signed_in:' || to_char(signed_in_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    'opened:' || to_char(opened_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    'clicked:' || to_char(clicked_at AT TIME ZONE 'UTC', 'YYYY-MM'),
    'joined:' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-"Q"Q'),
    'joined:' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-')
      || (extract(day FROM created_at AT TIME ZONE 'UTC')::int - 1) / 8,
    CASE WHEN isfinite(renews_at) THEN 'renews' END,
    CASE WHEN isfinite(renews_at) THEN 'renews:' || to_char(renews_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END,
    CASE WHEN isfinite(plan_until) THEN 'until:' || to_char(plan_until AT TIME ZONE 'UTC', 'YYYY-MM-DD') END], NULL)
$$;

CREATE TABLE public.subscription_state (
    user_id uuid NOT NULL,
    stripe_subscription_id text,
    status text NOT NULL,
    product_id text,
    price_id text,
    current_period_start timestamp with time zone,
    current_period_end timestamp with time zone,
    cancel_at timestamp with time zone,
    ended_at timestamp with time zone,
    unpaid_since timestamp with time zone,
    entitled_until timestamp with time zone,
    test_clock_time timestamp with time zone,
    trial_used boolean DEFAULT false NOT NULL,
    sync_seq bigint NOT NULL,
    synced_at timestamp with time zone NOT NULL,
    card_expires_at timestamp with time zone,
    price_cents bigint,
    price_currency text,
    price_interval text,
    price_interval_count smallint,
    pause_starts_at timestamp with time zone,
    pause_ends_at timestamp with time zone,
    card_hash text,
    quantity integer DEFAULT 1 NOT NULL,
    seats_after_renewal integer,
    seats_paid integer,
    seats_change_at timestamp with time zone
);

CREATE FUNCTION public.plan_access_end(s public.subscription_state) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE
    WHEN s.status NOT IN ('active', 'trialing', 'past_due') THEN '-infinity'
    WHEN s.test_clock_time IS NULL THEN coalesce(ends.at, 'epoch')
    WHEN s.test_clock_time < ends.at THEN 'infinity'
    ELSE 'epoch'
  END
  FROM (SELECT CASE
    WHEN s.status IN ('active', 'trialing') THEN coalesce(s.cancel_at, s.current_period_end + interval '24 hours')
    WHEN s.status = 'past_due' THEN coalesce(s.unpaid_since, s.current_period_start) + interval '168 hours'
  END AS at) unpaused,
  LATERAL (SELECT CASE WHEN s.pause_starts_at < unpaused.at THEN s.pause_starts_at ELSE unpaused.at END AS at) ends
$$;

CREATE FUNCTION public.record_new_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM public.staff_email_choice WHERE kind = 'member') THEN
    INSERT INTO public.staff_event (kind, count)
      SELECT 'member', count(*) FROM added WHERE email IS NOT NULL AND NOT is_anonymous HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION public.refresh_member_facts(ids uuid[]) RETURNS void
    LANGUAGE sql
    AS $$
  UPDATE member_facts f SET search = c.search, email_confirmed = c.email_confirmed, disabled_until = c.disabled_until,
    last_signed_in_at = c.last_signed_in_at, plan_status = c.plan_status, product_id = c.product_id,
    plan_until = c.plan_until, renews_at = c.renews_at, seat_product_id = c.seat_product_id, seat_until = c.seat_until,
    complimentary_until = c.complimentary_until, answers = c.answers, franchise_type = c.franchise_type,
    locations = c.locations, tags = c.tags, suppressed = c.suppressed
  FROM current_member_facts(ids) c
  WHERE f.user_id = c.user_id AND (f.search, f.email_confirmed, f.disabled_until, f.last_signed_in_at, f.plan_status,
      f.product_id, f.plan_until, f.renews_at, f.seat_product_id, f.seat_until, f.complimentary_until, f.answers,
      f.franchise_type, f.locations, f.tags, f.suppressed)
    IS DISTINCT FROM (c.search, c.email_confirmed, c.disabled_until, c.last_signed_in_at, c.plan_status,
      c.product_id, c.plan_until, c.renews_at, c.seat_product_id, c.seat_until, c.complimentary_until, c.answers,
      c.franchise_type, c.locations, c.tags, c.suppressed)
$$;

CREATE FUNCTION public.series_events_of_changed_fields() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.series_events_of_new_fields() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.series_event (kind, user_id, at, series_id, by_series)
    SELECT 'field_set', n.user_id, n.updated_at, s.id, coalesce(current_setting('front_counter.by_series', true), '') = 'yes'
    FROM public.series s JOIN after_rows n ON public.has_field_value(n.values, s.trigger ->> 'field', s.trigger ->> 'value')
    WHERE s.status <> 'off' AND s.trigger ->> 'kind' = 'field_set';
  RETURN NULL;
END $$;

CREATE FUNCTION public.series_events_of_tags() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.series_event (kind, user_id, at, series_id, by_series)
    SELECT 'tag_set', n.user_id, n.added_at, s.id, coalesce(current_setting('front_counter.by_series', true), '') = 'yes'
    FROM public.series s JOIN after_rows n ON n.tag = s.trigger ->> 'tag'
    WHERE s.status <> 'off' AND s.trigger ->> 'kind' = 'tag_set';
  RETURN NULL;
END $$;

CREATE FUNCTION public.subscribe_new_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO public.newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    SELECT n.id, a.id, true, now() FROM public.newsletter n CROSS JOIN added a
    WHERE n.subscribes_new_members AND n.retired_at IS NULL AND a.email IS NOT NULL AND NOT a.is_anonymous
    ORDER BY 1, 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TABLE auth.audit_log_entries (
    instance_id uuid,
    id uuid NOT NULL,
    payload jsonb,
    created_at timestamp with time zone,
    ip_address character varying(64) DEFAULT ''::character varying NOT NULL
);

CREATE TABLE auth.backup_codes (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    code_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone
);

CREATE TABLE auth.flow_state (
    id uuid NOT NULL,
    user_id uuid,
    auth_code text NOT NULL,
    code_challenge_method auth.code_challenge_method NOT NULL,
    code_challenge text NOT NULL,
    provider_type text NOT NULL,
    provider_access_token text,
    provider_refresh_token text,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    authentication_method text NOT NULL,
    auth_code_issued_at timestamp with time zone,
    link_token_hash text,
    one_time_token_id uuid
);

CREATE TABLE auth.identities (
    provider_id text NOT NULL,
    user_id uuid NOT NULL,
    identity_data jsonb NOT NULL,
    provider text NOT NULL,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone,
    updated_at timestamp with time zone,
    email text GENERATED ALWAYS AS (lower((identity_data ->> 'email'::text))) STORED,
    id uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE auth.known_addresses (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    ip text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE auth.mfa_amr_claims (
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    authentication_method text NOT NULL,
    id uuid NOT NULL
);

CREATE TABLE auth.mfa_challenges (
    id uuid NOT NULL,
    factor_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    verified_at timestamp with time zone,
    ip_address inet NOT NULL,
    otp_code text,
    web_authn_session_data jsonb
);

CREATE TABLE auth.mfa_factors (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    friendly_name text,
    factor_type auth.factor_type NOT NULL,
    status auth.factor_status NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    secret text,
    phone text,
    last_challenged_at timestamp with time zone,
    web_authn_credential jsonb,
    web_authn_aaguid uuid,
    last_webauthn_challenge_data jsonb
);

CREATE TABLE auth.one_time_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_type auth.one_time_token_type NOT NULL,
    token_hash text NOT NULL,
    relates_to text NOT NULL,
    created_at timestamp without time zone DEFAULT now() NOT NULL,
    updated_at timestamp without time zone DEFAULT now() NOT NULL,
    encrypted_password character varying(255),
    raw_user_meta_data jsonb
);

CREATE TABLE auth.refresh_tokens (
    instance_id uuid,
    id bigint NOT NULL,
    token character varying(255),
    user_id character varying(255),
    revoked boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    parent character varying(255),
    session_id uuid
);

CREATE SEQUENCE auth.refresh_tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE auth.refresh_tokens_id_seq OWNED BY auth.refresh_tokens.id;

CREATE TABLE auth.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    factor_id uuid,
    aal auth.aal_level DEFAULT 'aal1'::auth.aal_level NOT NULL,
    not_after timestamp with time zone,
    refreshed_at timestamp without time zone,
    user_agent text,
    ip inet,
    tag text,
    awaits_second_factor boolean DEFAULT false NOT NULL,
    trusted_device_id uuid
);

CREATE TABLE auth.signing_keys (
    kid text NOT NULL,
    public_jwk jsonb NOT NULL,
    private_jwk_encrypted text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone
);

CREATE TABLE auth.trusted_devices (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    user_agent text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE auth.users (
    instance_id uuid,
    id uuid NOT NULL,
    aud character varying(255),
    role character varying(255),
    email character varying(255),
    encrypted_password character varying(255),
    email_confirmed_at timestamp with time zone,
    invited_at timestamp with time zone,
    confirmation_token character varying(255),
    confirmation_sent_at timestamp with time zone,
    recovery_token character varying(255),
    recovery_sent_at timestamp with time zone,
    email_change_token_new character varying(255),
    email_change character varying(255),
    email_change_sent_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    phone text,
    phone_confirmed_at timestamp with time zone,
    phone_change text DEFAULT ''::text,
    phone_change_token character varying(255) DEFAULT ''::character varying,
    phone_change_sent_at timestamp with time zone,
    confirmed_at timestamp with time zone GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED,
    email_change_token_current character varying(255) DEFAULT ''::character varying,
    email_change_confirm_status smallint DEFAULT 0,
    banned_until timestamp with time zone,
    reauthentication_token character varying(255) DEFAULT ''::character varying,
    reauthentication_sent_at timestamp with time zone,
    is_sso_user boolean DEFAULT false NOT NULL,
    deleted_at timestamp with time zone,
    is_anonymous boolean DEFAULT false NOT NULL,
    created_by_admin boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY auth.users ALTER COLUMN email SET STATISTICS 1000;

CREATE TABLE auth.webauthn_challenges (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid,
    challenge_type text NOT NULL,
    session_data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE auth.webauthn_credentials (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    attestation_type text DEFAULT ''::text NOT NULL,
    aaguid uuid,
    sign_count bigint DEFAULT 0 NOT NULL,
    transports jsonb DEFAULT '[]'::jsonb NOT NULL,
    backup_eligible boolean DEFAULT false NOT NULL,
    backed_up boolean DEFAULT false NOT NULL,
    friendly_name text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone
);

CREATE TABLE public.account_emails (
    id uuid NOT NULL,
    email text NOT NULL,
    subject text NOT NULL,
    status text NOT NULL,
    error text,
    requested_at timestamp with time zone NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.adopted_price (
    price_id text NOT NULL,
    plan text NOT NULL,
    created_by text,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    key_hash text NOT NULL,
    scopes text[] NOT NULL,
    created_by text NOT NULL,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);

CREATE TABLE public.api_requests (
    key_id uuid NOT NULL,
    idempotency_key text NOT NULL,
    request_hash text NOT NULL,
    answer jsonb,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.archives (
    id uuid NOT NULL,
    status text NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    heartbeat_at timestamp with time zone,
    parts integer DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    sha256 text,
    missing jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    finished_at timestamp with time zone
);

CREATE TABLE public.assignment_notice (
    assignment_id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    handled_at timestamp with time zone,
    sent boolean DEFAULT false NOT NULL
);

CREATE TABLE public.assignment_reminder (
    assignment_id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    due_on date NOT NULL,
    sent_at timestamp with time zone NOT NULL
);

CREATE TABLE public.assignment_summary (
    user_id uuid NOT NULL,
    week_of date NOT NULL,
    sent_at timestamp with time zone NOT NULL
);

CREATE TABLE public.backfills (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    cursor text,
    handled_rows bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.backups (
    id uuid NOT NULL,
    name text NOT NULL,
    destination text NOT NULL,
    origin text NOT NULL,
    status text NOT NULL,
    error text,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    bytes bigint,
    rows bigint,
    files integer,
    missing_files integer,
    drilled_at timestamp with time zone,
    drill_passed boolean,
    drill_error text,
    deleted_at timestamp with time zone
);

CREATE TABLE public.billing_customer (
    user_id uuid NOT NULL,
    stripe_customer_id text,
    generation integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.billing_notice (
    user_id uuid NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.bulk_action_members (
    action_id uuid NOT NULL,
    user_id uuid NOT NULL,
    outcome text
);

CREATE TABLE public.bulk_actions (
    id uuid NOT NULL,
    action jsonb NOT NULL,
    selection text NOT NULL,
    status text NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    finished_at timestamp with time zone,
    undone_by text,
    undone_by_id uuid
);

CREATE TABLE public.business_location (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    "values" jsonb DEFAULT '{}'::jsonb NOT NULL,
    shared boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.business_profile (
    user_id uuid NOT NULL,
    "values" jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.collection_items (
    user_id uuid NOT NULL,
    collection_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    member boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.collections (
    user_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    deleted boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.complimentary_access (
    user_id uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    note text,
    granted_by text NOT NULL,
    granted_at timestamp with time zone NOT NULL,
    granted_by_id uuid,
    source text DEFAULT 'staff'::text NOT NULL
);

CREATE TABLE public.content_block (
    id text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid
);

CREATE TABLE public.content_document (
    kind text NOT NULL,
    id text NOT NULL,
    document jsonb NOT NULL,
    version integer NOT NULL,
    published_version integer,
    edited_in_admin boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid,
    publish_failure jsonb
);

CREATE TABLE public.content_items (
    kind text NOT NULL,
    id text NOT NULL,
    title text NOT NULL,
    path text NOT NULL,
    parent_id text,
    published_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    changed_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    text_hash text,
    checked_on date,
    valid_until date,
    day date,
    parent_title text DEFAULT ''::text NOT NULL,
    headings text DEFAULT ''::text NOT NULL,
    summary text DEFAULT ''::text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    focus_areas text[] DEFAULT '{}'::text[] NOT NULL,
    level text,
    verticals text[] DEFAULT '{}'::text[] NOT NULL,
    search tsvector DEFAULT ''::tsvector NOT NULL,
    body_weight real DEFAULT 0.1 NOT NULL
)
WITH (toast_tuple_target='8160');

CREATE TABLE public.content_pages (
    id text NOT NULL,
    page jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.content_revision (
    revision bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    version integer NOT NULL,
    document jsonb NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid
);

CREATE SEQUENCE public.content_revision_revision_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.content_revision_revision_seq OWNED BY public.content_revision.revision;

CREATE TABLE public.content_schedule (
    kind text NOT NULL,
    id text NOT NULL,
    version integer NOT NULL,
    document jsonb NOT NULL,
    publish_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid
);

CREATE TABLE public.counters (
    name text NOT NULL,
    bucket timestamp with time zone NOT NULL,
    value bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.custom_field (
    id integer NOT NULL,
    key text NOT NULL,
    label text NOT NULL,
    help text DEFAULT ''::text NOT NULL,
    kind text NOT NULL,
    options jsonb DEFAULT '[]'::jsonb NOT NULL,
    asked text NOT NULL,
    required boolean DEFAULT false NOT NULL,
    "position" integer NOT NULL,
    retired_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid
);

CREATE TABLE public.custom_field_values (
    user_id uuid NOT NULL,
    "values" jsonb NOT NULL,
    tokens text[] NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.deliveries (
    id bigint NOT NULL,
    mailing_id uuid NOT NULL,
    issue_id text,
    user_id uuid NOT NULL,
    email text,
    domain text NOT NULL,
    reader text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    cause text,
    attempts smallint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    sender_id uuid,
    response text,
    changed_at timestamp with time zone,
    bounced_at timestamp with time zone,
    bounce_type text,
    complained_at timestamp with time zone,
    opened_at timestamp with time zone,
    clicked_at timestamp with time zone,
    name text,
    bot_opened_at timestamp with time zone,
    bot_clicked_at timestamp with time zone,
    unsubscribed_at timestamp with time zone,
    subject_index smallint,
    send_at timestamp with time zone
);

CREATE SEQUENCE public.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.deliveries_id_seq OWNED BY public.deliveries.id;

CREATE TABLE public.duplicate_subscription (
    subscription_id text NOT NULL,
    user_id uuid NOT NULL,
    outcome text NOT NULL,
    product_id text,
    refunded_cents bigint NOT NULL,
    currency text NOT NULL,
    detected_at timestamp with time zone NOT NULL
);

CREATE TABLE public.email_events (
    id bigint NOT NULL,
    source text NOT NULL,
    external_id text NOT NULL,
    type text NOT NULL,
    delivery_id bigint,
    email text,
    detail text,
    is_bot boolean DEFAULT false NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL
);

CREATE SEQUENCE public.email_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.email_events_id_seq OWNED BY public.email_events.id;

CREATE TABLE public.email_preferences (
    user_id uuid NOT NULL,
    drops text DEFAULT 'weekly'::text NOT NULL,
    news boolean DEFAULT true NOT NULL,
    allows_tracking boolean DEFAULT false NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    follow_ups boolean DEFAULT true NOT NULL,
    unsubscribed_at timestamp with time zone,
    free_since timestamp with time zone,
    assignments boolean DEFAULT true NOT NULL,
    time_zone text,
    drop_time text DEFAULT 'usual'::text NOT NULL,
    usual_hour smallint
);

CREATE TABLE public.email_replies (
    id uuid NOT NULL,
    message_hash text NOT NULL,
    user_id uuid NOT NULL,
    mailing_id uuid NOT NULL,
    issue_id text,
    text text NOT NULL,
    is_shortened boolean NOT NULL,
    attachments text[] NOT NULL,
    has_token boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.emailed_changes (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    version integer NOT NULL,
    mailing_id uuid NOT NULL
);

CREATE TABLE public.first_week (
    user_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    start_page_at timestamp with time zone,
    dismissed_at timestamp with time zone
);

CREATE TABLE public.franchisor_rules (
    user_id uuid NOT NULL,
    topic text NOT NULL,
    rule text NOT NULL,
    note text NOT NULL,
    said_on date,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.gift (
    id uuid NOT NULL,
    state text NOT NULL,
    giver_name text NOT NULL,
    giver_email text NOT NULL,
    recipient_name text NOT NULL,
    recipient_email text NOT NULL,
    message text NOT NULL,
    deliver_on date NOT NULL,
    deliver_at timestamp with time zone NOT NULL,
    plan text NOT NULL,
    amount_cents bigint NOT NULL,
    currency text NOT NULL,
    months smallint NOT NULL,
    giver_token_hash text NOT NULL,
    claim_token_hash text,
    address_version smallint DEFAULT 0 NOT NULL,
    stripe_session_id text,
    stripe_payment_intent_id text,
    paid_at timestamp with time zone,
    refunded_cents bigint DEFAULT 0 NOT NULL,
    refund_reason text,
    sent_at timestamp with time zone,
    claim_until timestamp with time zone,
    extended_at timestamp with time zone,
    reminded_at timestamp with time zone,
    bounce_told_at timestamp with time zone,
    claimed_by uuid,
    claimed_at timestamp with time zone,
    outcome text,
    access_until timestamp with time zone,
    credit_customer_id text,
    credit_id text,
    credit_reversal_id text,
    created_at timestamp with time zone NOT NULL,
    disputed_at timestamp with time zone,
    withdrawn_seconds integer,
    won_dispute_id text,
    CONSTRAINT gift_months CHECK (((months >= 1) AND (months <= 24)))
);

CREATE TABLE public.gift_link (
    id uuid NOT NULL,
    token_hash text NOT NULL,
    note text NOT NULL,
    months smallint NOT NULL,
    max_uses integer NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT gift_link_months CHECK (((months >= 1) AND (months <= 24)))
);

CREATE TABLE public.gift_link_use (
    link_id uuid NOT NULL,
    mailbox_hash text NOT NULL,
    user_id uuid,
    used_at timestamp with time zone NOT NULL,
    access_until timestamp with time zone NOT NULL
);

CREATE TABLE public.guide_file (
    guide_id text NOT NULL,
    version integer NOT NULL,
    hash text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    text text
);

CREATE TABLE public.guides (
    id text NOT NULL,
    "position" integer NOT NULL,
    type text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    downloads integer NOT NULL,
    file text NOT NULL,
    format text NOT NULL,
    extent text NOT NULL,
    inside text[] NOT NULL,
    published_at timestamp with time zone DEFAULT now(),
    file_version integer,
    edition integer,
    checked_on date,
    pages text[] DEFAULT '{}'::text[] NOT NULL,
    touches text[] DEFAULT '{}'::text[] NOT NULL,
    valid_until date,
    change_note text DEFAULT ''::text NOT NULL,
    gift boolean DEFAULT false NOT NULL
);

CREATE TABLE public.imported_posts (
    source text NOT NULL,
    source_id text NOT NULL,
    document_id text NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    slug text
);

CREATE TABLE public.imported_stripe_customer (
    user_id uuid NOT NULL,
    stripe_customer_id text NOT NULL
);

CREATE TABLE public.issue_sections (
    issue_id text NOT NULL,
    "position" integer NOT NULL,
    heading text NOT NULL,
    summary text NOT NULL,
    focus_areas text[] NOT NULL,
    ai_level text,
    minutes integer NOT NULL,
    body text NOT NULL,
    goals text[] DEFAULT '{}'::text[] NOT NULL,
    franchise_types text[] DEFAULT '{}'::text[] NOT NULL,
    id text NOT NULL,
    part_of_lead boolean DEFAULT false NOT NULL,
    kind text,
    examples jsonb DEFAULT '{}'::jsonb NOT NULL,
    touches text[] DEFAULT '{}'::text[] NOT NULL,
    valid_until date,
    change_note text DEFAULT ''::text NOT NULL,
    open_to_everyone boolean DEFAULT false NOT NULL
);

CREATE TABLE public.issues (
    id text NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    date date NOT NULL,
    preview text NOT NULL,
    tags text[] NOT NULL,
    intro text NOT NULL,
    closing text NOT NULL,
    reading_minutes integer NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone DEFAULT now(),
    worth text DEFAULT ''::text NOT NULL,
    question text DEFAULT ''::text NOT NULL,
    checked_on date,
    touch_sets jsonb DEFAULT '[]'::jsonb NOT NULL,
    editor_note text DEFAULT ''::text NOT NULL,
    poll_question text DEFAULT ''::text NOT NULL,
    poll_answers text[] DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE public.item_changes (
    kind text NOT NULL,
    item_id text NOT NULL,
    version integer NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    note text NOT NULL
);

CREATE TABLE public.item_uses (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    use text NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE public.item_votes (
    kind text NOT NULL,
    item_id text NOT NULL,
    user_id uuid NOT NULL,
    useful boolean NOT NULL,
    why text DEFAULT ''::text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.leases (
    name text NOT NULL,
    token bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.mailings (
    id uuid NOT NULL,
    kind text NOT NULL,
    issue_id text,
    subject text NOT NULL,
    preheader text NOT NULL,
    status text NOT NULL,
    audience jsonb NOT NULL,
    content jsonb,
    scheduled_at timestamp with time zone,
    prepared_at timestamp with time zone,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    pause_reason text,
    tracked boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    updated_at timestamp with time zone NOT NULL,
    feedback_at_resume jsonb,
    created_by_id uuid,
    frozen_at timestamp with time zone,
    accepted_errors jsonb,
    send_failure jsonb,
    waits_for_version integer,
    subject_test jsonb,
    subject_test_result jsonb,
    reader_hours boolean DEFAULT false NOT NULL
);

CREATE TABLE public.media_image (
    hash text NOT NULL,
    content_type text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    bytes integer NOT NULL,
    original_name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid
);

CREATE TABLE public.member_facts (
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    joined_micros bigint NOT NULL,
    search text NOT NULL,
    email_confirmed boolean NOT NULL,
    disabled_until timestamp with time zone,
    last_signed_in_at timestamp with time zone,
    plan_status text,
    product_id text,
    plan_until timestamp with time zone,
    renews_at timestamp with time zone NOT NULL,
    seat_product_id text,
    seat_until timestamp with time zone,
    complimentary_until timestamp with time zone,
    answers text[] DEFAULT '{}'::text[] NOT NULL,
    franchise_type text,
    locations integer DEFAULT 0 NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    last_opened_at timestamp with time zone,
    last_clicked_at timestamp with time zone,
    last_active_at timestamp with time zone GENERATED ALWAYS AS (COALESCE(GREATEST(last_signed_in_at, last_opened_at, last_clicked_at), '-infinity'::timestamp with time zone)) STORED,
    suppressed boolean DEFAULT false NOT NULL,
    noted boolean DEFAULT false NOT NULL,
    tokens text[] GENERATED ALWAYS AS (public.member_tokens(answers, tags, franchise_type, plan_status, product_id, seat_until, complimentary_until, disabled_until, locations, email_confirmed, suppressed, noted, last_signed_in_at, last_opened_at, last_clicked_at, created_at, renews_at, plan_until)) STORED,
    field_tokens text[] DEFAULT '{}'::text[] NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.member_feeds (
    user_id uuid NOT NULL,
    version integer NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.member_import_chunks (
    import_id uuid NOT NULL,
    "position" integer NOT NULL,
    bytes bytea NOT NULL
);

CREATE TABLE public.member_import_rows (
    import_id uuid NOT NULL,
    line integer NOT NULL,
    email text NOT NULL,
    member jsonb,
    problem text,
    outcome text,
    changes text[]
);

CREATE TABLE public.member_imports (
    id uuid NOT NULL,
    file_name text NOT NULL,
    byte_size bigint DEFAULT 0 NOT NULL,
    encoding text DEFAULT 'utf-8'::text NOT NULL,
    delimiter text DEFAULT ','::text NOT NULL,
    header jsonb DEFAULT '[]'::jsonb NOT NULL,
    samples jsonb DEFAULT '[]'::jsonb NOT NULL,
    source text DEFAULT 'other'::text NOT NULL,
    mapping jsonb DEFAULT '{}'::jsonb NOT NULL,
    options jsonb,
    status text NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    lines_read integer DEFAULT 0 NOT NULL,
    last_line integer,
    cursor integer DEFAULT 0 NOT NULL,
    counts jsonb,
    created_by text,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);

CREATE TABLE public.member_notes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL,
    created_by_id uuid,
    updated_at timestamp with time zone NOT NULL,
    updated_by text NOT NULL,
    updated_by_id uuid
);

CREATE TABLE public.member_sources (
    user_id uuid NOT NULL,
    first_source text NOT NULL,
    first_campaign text NOT NULL,
    first_path text NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_source text NOT NULL,
    last_campaign text NOT NULL,
    last_at timestamp with time zone NOT NULL
);

CREATE TABLE public.member_tags (
    user_id uuid NOT NULL,
    tag text NOT NULL,
    joined_micros bigint NOT NULL,
    added_at timestamp with time zone NOT NULL,
    added_by text,
    added_by_id uuid
);

CREATE TABLE public.member_views (
    id uuid NOT NULL,
    name text NOT NULL,
    filter jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.newsletter (
    id integer NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    sender_name text DEFAULT ''::text NOT NULL,
    sender_address text DEFAULT ''::text NOT NULL,
    reply_to text DEFAULT ''::text NOT NULL,
    members_only boolean NOT NULL,
    subscribes_new_members boolean NOT NULL,
    "position" integer NOT NULL,
    retired_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid
);

CREATE TABLE public.newsletter_subscription (
    newsletter_id integer NOT NULL,
    user_id uuid NOT NULL,
    subscribed boolean NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.offer (
    id uuid NOT NULL,
    code text NOT NULL,
    percent_off integer,
    amount_off_cents bigint,
    duration text NOT NULL,
    months integer,
    plans text[] NOT NULL,
    max_redemptions integer,
    ends_at timestamp with time zone,
    new_customers_only boolean NOT NULL,
    stripe_promotion_code_id text,
    times_redeemed integer DEFAULT 0 NOT NULL,
    ended_at timestamp with time zone,
    ended_here boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    currency text
);

CREATE TABLE public.page_visits (
    day date NOT NULL,
    path text NOT NULL,
    source text NOT NULL,
    campaign text NOT NULL,
    is_bot boolean NOT NULL,
    visits integer NOT NULL,
    views integer NOT NULL
);

CREATE TABLE public.pending_checkout (
    user_id uuid NOT NULL,
    price_id text NOT NULL,
    session_id text,
    nonce text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.plan (
    key text NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    features text[] DEFAULT '{}'::text[] NOT NULL,
    price_cents bigint NOT NULL,
    currency text NOT NULL,
    "interval" text NOT NULL,
    seats smallint NOT NULL,
    trial_days smallint,
    stripe_product_id text,
    stripe_price_id text,
    retired_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by text,
    updated_by_id uuid,
    per_seat boolean DEFAULT false NOT NULL,
    CONSTRAINT plan_interval CHECK (("interval" = ANY (ARRAY['month'::text, 'year'::text]))),
    CONSTRAINT plan_price CHECK ((price_cents > 0)),
    CONSTRAINT plan_seats CHECK (((seats >= 1) AND (seats <= 500)))
);

CREATE TABLE public.plan_cancellation (
    subscription_id text NOT NULL,
    customer_id text NOT NULL,
    plan text NOT NULL,
    canceled_at timestamp with time zone NOT NULL,
    reason text,
    comment text
);

CREATE TABLE public.poll_votes (
    issue_id text NOT NULL,
    user_id uuid NOT NULL,
    answer text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.post_import_items (
    import_id uuid NOT NULL,
    "position" integer NOT NULL,
    title text NOT NULL,
    result text NOT NULL,
    document_id text,
    notes jsonb NOT NULL,
    readers text
);

CREATE TABLE public.post_imports (
    id uuid NOT NULL,
    file_name text NOT NULL,
    source text,
    status text NOT NULL,
    publish boolean DEFAULT false NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    total integer DEFAULT 0 NOT NULL,
    problem text,
    heartbeat_at timestamp with time zone,
    parts integer NOT NULL,
    bytes bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    finished_at timestamp with time zone,
    site_address text
);

CREATE TABLE public.price_move (
    id uuid NOT NULL,
    plan text NOT NULL,
    price_id text NOT NULL,
    price_cents bigint NOT NULL,
    currency text NOT NULL,
    "interval" text NOT NULL,
    notice_days integer NOT NULL,
    status text NOT NULL,
    created_by text,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);

CREATE TABLE public.price_move_member (
    move_id uuid NOT NULL,
    user_id uuid NOT NULL,
    subscription_id text NOT NULL,
    old_cents bigint NOT NULL,
    new_cents bigint NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    state text NOT NULL,
    reason text,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE public.prompt_answer (
    user_id uuid NOT NULL,
    prompt_id text NOT NULL,
    blank text NOT NULL,
    answer text NOT NULL,
    answered_at timestamp with time zone NOT NULL
);

CREATE TABLE public.prompt_categories (
    id text NOT NULL,
    key text NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    "position" integer NOT NULL,
    published_at timestamp with time zone DEFAULT now(),
    checked_on date
);

CREATE TABLE public.prompts (
    id text NOT NULL,
    category_id text NOT NULL,
    "position" integer NOT NULL,
    title text NOT NULL,
    "when" text NOT NULL,
    level text NOT NULL,
    body text NOT NULL,
    minutes integer,
    focus_areas text[] DEFAULT '{}'::text[] NOT NULL,
    data_label text,
    touches text[] DEFAULT '{}'::text[] NOT NULL,
    checks text[] DEFAULT '{}'::text[] NOT NULL,
    example jsonb,
    valid_until date,
    change_note text DEFAULT ''::text NOT NULL
);

CREATE TABLE public.publication_setting_versions (
    name text NOT NULL,
    version integer NOT NULL,
    value jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid
);

CREATE TABLE public.publication_settings (
    name text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid,
    version integer DEFAULT 1 NOT NULL
);

CREATE TABLE public.question_answers (
    id uuid NOT NULL,
    issue_id text NOT NULL,
    user_id uuid NOT NULL,
    question text NOT NULL,
    text text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.rate_limits (
    key text NOT NULL,
    points bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.reader_visits (
    user_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    previous_at timestamp with time zone NOT NULL
);

CREATE TABLE public.reader_wage (
    user_id uuid NOT NULL,
    cents integer,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.reading_state (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    read_at timestamp with time zone NOT NULL,
    "position" text,
    position_at timestamp with time zone,
    finished_at timestamp with time zone
);

CREATE TABLE public.referral (
    id uuid NOT NULL,
    referrer_id uuid,
    referee_id uuid,
    state text NOT NULL,
    reason text,
    mailbox_hash text,
    card_hash text,
    invoice_id text,
    referrer_customer_id text,
    referrer_cents bigint,
    referrer_currency text,
    referrer_credit_id text,
    referrer_taken_cents bigint,
    referee_customer_id text,
    referee_cents bigint,
    referee_currency text,
    referee_credit_id text,
    referee_taken_cents bigint,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    withdrawn_at timestamp with time zone,
    disputes_read_at timestamp with time zone
);

CREATE TABLE public.reply_mailbox (
    address text NOT NULL,
    uid_validity text NOT NULL,
    last_uid bigint NOT NULL,
    automatic integer DEFAULT 0 NOT NULL,
    others integer DEFAULT 0 NOT NULL,
    read_at timestamp with time zone NOT NULL,
    read_through timestamp with time zone
);

CREATE TABLE public.retained_suppressions (
    address_hash text NOT NULL,
    stream text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.retention_offer (
    id uuid NOT NULL,
    user_id uuid,
    subscription_id text NOT NULL,
    reason text NOT NULL,
    kind text NOT NULL,
    plan text,
    comment text,
    offered_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone
);

CREATE TABLE public.revenue_change (
    customer_id text NOT NULL,
    at timestamp with time zone NOT NULL,
    plan text NOT NULL,
    kind text NOT NULL,
    yearly_cents bigint NOT NULL,
    customers smallint NOT NULL,
    currency text DEFAULT 'usd'::text NOT NULL
);

CREATE TABLE public.revenue_cohort_total (
    cohort date NOT NULL,
    month date NOT NULL,
    started bigint DEFAULT 0 NOT NULL,
    customers bigint DEFAULT 0 NOT NULL,
    paid_cents bigint DEFAULT 0 NOT NULL,
    refunded_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_currency_cohort (
    currency text NOT NULL,
    cohort date NOT NULL,
    month date NOT NULL,
    started bigint DEFAULT 0 NOT NULL,
    customers bigint DEFAULT 0 NOT NULL,
    paid_cents bigint DEFAULT 0 NOT NULL,
    refunded_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_currency_month (
    currency text NOT NULL,
    month date NOT NULL,
    plan text NOT NULL,
    name text NOT NULL,
    cents bigint DEFAULT 0 NOT NULL,
    count bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_currency_offer (
    currency text NOT NULL,
    promotion_code_id text NOT NULL,
    subscriptions bigint DEFAULT 0 NOT NULL,
    customers bigint DEFAULT 0 NOT NULL,
    paid_cents bigint DEFAULT 0 NOT NULL,
    refunded_cents bigint DEFAULT 0 NOT NULL,
    discount_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_customer (
    customer_id text NOT NULL,
    sync_seq bigint NOT NULL,
    state_hash text NOT NULL,
    unbilled_since timestamp with time zone
);

CREATE TABLE public.revenue_invoice (
    id text NOT NULL,
    customer_id text NOT NULL,
    subscription_id text,
    plan text NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    period_start timestamp with time zone NOT NULL,
    period_end timestamp with time zone NOT NULL,
    currency text NOT NULL,
    due_cents bigint NOT NULL,
    paid_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    attempts integer NOT NULL,
    paid_at timestamp with time zone,
    failed_at timestamp with time zone,
    discounts jsonb DEFAULT '[]'::jsonb NOT NULL,
    due_tax_cents bigint DEFAULT 0 NOT NULL,
    paid_tax_cents bigint DEFAULT 0 NOT NULL,
    refunded_tax_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_monthly_total (
    month date NOT NULL,
    plan text NOT NULL,
    name text NOT NULL,
    cents bigint DEFAULT 0 NOT NULL,
    count bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.revenue_offer_total (
    promotion_code_id text NOT NULL,
    subscriptions bigint DEFAULT 0 NOT NULL,
    customers bigint DEFAULT 0 NOT NULL,
    paid_cents bigint DEFAULT 0 NOT NULL,
    refunded_cents bigint DEFAULT 0 NOT NULL,
    discount_cents bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.saved_items (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    saved boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.search_vocabulary (
    word text NOT NULL,
    lexeme text NOT NULL,
    items integer NOT NULL
);

CREATE TABLE public.seed_state (
    name text NOT NULL,
    hash text NOT NULL,
    seeded_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.seen_changes (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    version integer NOT NULL
);

CREATE TABLE public.segment_members (
    segment_id uuid NOT NULL,
    user_id uuid NOT NULL,
    added_at timestamp with time zone NOT NULL
);

CREATE TABLE public.segments (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid
);

CREATE TABLE public.senders (
    id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    heartbeat_at timestamp with time zone NOT NULL,
    version text
);

CREATE TABLE public.series (
    id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    trigger jsonb NOT NULL,
    steps jsonb NOT NULL,
    leaves_when jsonb,
    reentry_days integer,
    version integer DEFAULT 1 NOT NULL,
    turned_on_at timestamp with time zone,
    scanned_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    created_by_id uuid,
    updated_at timestamp with time zone NOT NULL,
    segment_version text
);

CREATE TABLE public.series_entry (
    id bigint NOT NULL,
    series_id uuid NOT NULL,
    user_id uuid NOT NULL,
    round smallint DEFAULT 1 NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    step_id uuid,
    due_at timestamp with time zone,
    ended_at timestamp with time zone,
    end_reason text
);

CREATE SEQUENCE public.series_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.series_entry_id_seq OWNED BY public.series_entry.id;

CREATE TABLE public.series_event (
    id bigint NOT NULL,
    kind text NOT NULL,
    user_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    series_id uuid,
    by_series boolean DEFAULT false NOT NULL
);

CREATE SEQUENCE public.series_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.series_event_id_seq OWNED BY public.series_event.id;

CREATE TABLE public.series_mailing (
    mailing_id uuid NOT NULL,
    series_id uuid NOT NULL,
    step_id uuid NOT NULL,
    round smallint NOT NULL,
    content_hash text NOT NULL
);

CREATE TABLE public.series_segment_member (
    series_id uuid NOT NULL,
    user_id uuid NOT NULL
);

CREATE TABLE public.series_step_result (
    entry_id bigint NOT NULL,
    step_id uuid NOT NULL,
    outcome text NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.share_links (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash text NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    shows_business boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.site_page (
    id uuid NOT NULL,
    path text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    audience text NOT NULL,
    published_at timestamp with time zone,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by text,
    updated_by_id uuid
);

CREATE TABLE public.staff_email_choice (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    chosen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.staff_email_sent (
    kind text NOT NULL,
    sent_at timestamp with time zone NOT NULL
);

CREATE TABLE public.staff_event (
    id bigint NOT NULL,
    kind text NOT NULL,
    count integer NOT NULL
);

CREATE SEQUENCE public.staff_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.staff_event_id_seq OWNED BY public.staff_event.id;

CREATE TABLE public.staff_invitations (
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    token_hash text NOT NULL,
    invited_by_id uuid NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE public.stripe_adoption (
    id uuid NOT NULL,
    status text NOT NULL,
    cursor text DEFAULT ''::text NOT NULL,
    listed integer DEFAULT 0 NOT NULL,
    created_by text,
    created_by_id uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone
);

CREATE TABLE public.stripe_adoption_subscription (
    adoption_id uuid NOT NULL,
    subscription_id text NOT NULL,
    stripe_customer text NOT NULL,
    address text NOT NULL,
    name text,
    status text NOT NULL,
    is_trial_offer boolean NOT NULL,
    prices jsonb NOT NULL,
    outcome text
);

CREATE TABLE public.stripe_event (
    id text NOT NULL,
    type text NOT NULL,
    created timestamp with time zone NOT NULL,
    customer_id text,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    processed_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text
);

CREATE TABLE public.suppressions (
    id bigint NOT NULL,
    email text NOT NULL,
    stream text NOT NULL,
    reason text NOT NULL,
    detail text,
    mailing_id uuid,
    created_at timestamp with time zone NOT NULL,
    created_by text,
    lifted_at timestamp with time zone,
    lifted_by text,
    lift_reason text,
    created_by_id uuid,
    lifted_by_id uuid
);

CREATE SEQUENCE public.suppressions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.suppressions_id_seq OWNED BY public.suppressions.id;

CREATE TABLE public.suspended_staff (
    user_id uuid NOT NULL,
    role text NOT NULL,
    suspended_at timestamp with time zone NOT NULL
);

CREATE TABLE public.team_assignment (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    assigned_to text NOT NULL,
    assignee_id uuid,
    location_id uuid,
    due_on date,
    note text NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    done boolean DEFAULT false NOT NULL,
    done_by uuid,
    checked_at timestamp with time zone,
    edited_at timestamp with time zone,
    removed boolean DEFAULT false NOT NULL,
    removed_at timestamp with time zone
);

CREATE TABLE public.team_collection_item (
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    member boolean NOT NULL,
    at timestamp with time zone NOT NULL
);

CREATE TABLE public.team_invitation (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    owner_id uuid NOT NULL,
    email text NOT NULL,
    token_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone
);

CREATE TABLE public.team_seat (
    owner_id uuid NOT NULL,
    seat smallint NOT NULL,
    user_id uuid NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    CONSTRAINT team_seat_not_the_owner CHECK ((user_id <> owner_id)),
    CONSTRAINT team_seat_number CHECK (((seat >= 2) AND (seat <= 500)))
);

CREATE TABLE public.team_seat_location (
    user_id uuid NOT NULL,
    location_id uuid NOT NULL
);

CREATE TABLE public.throttle_usage (
    domain text NOT NULL,
    minute timestamp with time zone NOT NULL,
    sent integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.tools (
    id text NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    category text NOT NULL,
    rating numeric(2,1),
    verdict text NOT NULL,
    description text NOT NULL,
    use_case text NOT NULL,
    good_for text[] NOT NULL,
    watch_out text[] NOT NULL,
    url text NOT NULL,
    published_at timestamp with time zone DEFAULT now(),
    tested_on date,
    criteria jsonb DEFAULT '{}'::jsonb NOT NULL,
    price_note text DEFAULT ''::text NOT NULL,
    skip_if text DEFAULT ''::text NOT NULL,
    checked_on date,
    test_sheet text,
    touches text[] DEFAULT '{}'::text[] NOT NULL,
    valid_until date,
    change_note text DEFAULT ''::text NOT NULL
);

CREATE TABLE public.trial_card_usage (
    fingerprint_hash text NOT NULL,
    subscription_id text NOT NULL
);

CREATE TABLE public.trial_usage (
    address_hash text NOT NULL
);

CREATE TABLE public.tries (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    outcome text,
    minutes_per_week integer,
    note text DEFAULT ''::text NOT NULL,
    shared_at timestamp with time zone,
    answered_at timestamp with time zone,
    removed_at timestamp with time zone,
    counted_outcome text,
    asked_at timestamp with time zone
);

CREATE TABLE public.try_days (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    item_id text NOT NULL,
    day date NOT NULL,
    at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    minutes_per_week integer
);

CREATE TABLE public.try_totals (
    kind text NOT NULL,
    item_id text NOT NULL,
    worked integer DEFAULT 0 NOT NULL,
    worked_with_changes integer DEFAULT 0 NOT NULL,
    did_not_work integer DEFAULT 0 NOT NULL,
    gone integer DEFAULT 0 NOT NULL,
    breakdown jsonb,
    counted_at timestamp with time zone
);

CREATE TABLE public.user_preferences (
    user_id uuid NOT NULL,
    focus_areas text[] NOT NULL,
    ai_level text NOT NULL,
    goals text[] NOT NULL,
    franchise_type text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    welcomed_at timestamp with time zone
);

CREATE TABLE public.user_roles (
    user_id uuid NOT NULL,
    role text NOT NULL
);

CREATE TABLE public.view_as_sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    staff_id uuid NOT NULL,
    staff_session_id uuid NOT NULL,
    token_hash text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone
);

CREATE TABLE public.visitors (
    hash text NOT NULL,
    first_source text NOT NULL,
    first_campaign text NOT NULL,
    first_path text NOT NULL,
    last_source text NOT NULL,
    last_campaign text NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.webhook_attempts (
    id bigint NOT NULL,
    delivery_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    status integer,
    excerpt text NOT NULL,
    duration_ms integer NOT NULL
);

CREATE SEQUENCE public.webhook_attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.webhook_attempts_id_seq OWNED BY public.webhook_attempts.id;

CREATE TABLE public.webhook_deliveries (
    id bigint NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone
);

CREATE SEQUENCE public.webhook_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.webhook_deliveries_id_seq OWNED BY public.webhook_deliveries.id;

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    sealed_secret text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    former_sealed_secret text,
    former_secret_until timestamp with time zone
);

CREATE TABLE public.webhook_events (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY auth.refresh_tokens ALTER COLUMN id SET DEFAULT nextval('auth.refresh_tokens_id_seq'::regclass);

ALTER TABLE ONLY public.content_revision ALTER COLUMN revision SET DEFAULT nextval('public.content_revision_revision_seq'::regclass);

ALTER TABLE ONLY public.deliveries ALTER COLUMN id SET DEFAULT nextval('public.deliveries_id_seq'::regclass);

ALTER TABLE ONLY public.email_events ALTER COLUMN id SET DEFAULT nextval('public.email_events_id_seq'::regclass);

ALTER TABLE ONLY public.series_entry ALTER COLUMN id SET DEFAULT nextval('public.series_entry_id_seq'::regclass);

ALTER TABLE ONLY public.series_event ALTER COLUMN id SET DEFAULT nextval('public.series_event_id_seq'::regclass);

ALTER TABLE ONLY public.staff_event ALTER COLUMN id SET DEFAULT nextval('public.staff_event_id_seq'::regclass);

ALTER TABLE ONLY public.suppressions ALTER COLUMN id SET DEFAULT nextval('public.suppressions_id_seq'::regclass);

ALTER TABLE ONLY public.webhook_attempts ALTER COLUMN id SET DEFAULT nextval('public.webhook_attempts_id_seq'::regclass);

ALTER TABLE ONLY public.webhook_deliveries ALTER COLUMN id SET DEFAULT nextval('public.webhook_deliveries_id_seq'::regclass);

ALTER TABLE ONLY auth.audit_log_entries
    ADD CONSTRAINT audit_log_entries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.backup_codes
    ADD CONSTRAINT backup_codes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.flow_state
    ADD CONSTRAINT flow_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.known_addresses
    ADD CONSTRAINT known_addresses_user_id_kind_ip_pk PRIMARY KEY (user_id, kind, ip);

ALTER TABLE ONLY auth.mfa_amr_claims
    ADD CONSTRAINT mfa_amr_claims_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.mfa_challenges
    ADD CONSTRAINT mfa_challenges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.mfa_factors
    ADD CONSTRAINT mfa_factors_last_challenged_at_unique UNIQUE (last_challenged_at);

ALTER TABLE ONLY auth.mfa_factors
    ADD CONSTRAINT mfa_factors_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY auth.trusted_devices
    ADD CONSTRAINT trusted_devices_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.webauthn_challenges
    ADD CONSTRAINT webauthn_challenges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY auth.webauthn_credentials
    ADD CONSTRAINT webauthn_credentials_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account_emails
    ADD CONSTRAINT account_emails_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.adopted_price
    ADD CONSTRAINT adopted_price_pkey PRIMARY KEY (price_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_key_id_idempotency_key_pk PRIMARY KEY (key_id, idempotency_key);

ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.assignment_notice
    ADD CONSTRAINT assignment_notice_assignment_id_user_id_pk PRIMARY KEY (assignment_id, user_id);

ALTER TABLE ONLY public.assignment_reminder
    ADD CONSTRAINT assignment_reminder_assignment_id_user_id_kind_due_on_pk PRIMARY KEY (assignment_id, user_id, kind, due_on);

ALTER TABLE ONLY public.assignment_summary
    ADD CONSTRAINT assignment_summary_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.backfills
    ADD CONSTRAINT backfills_name_unique UNIQUE (name);

ALTER TABLE ONLY public.backfills
    ADD CONSTRAINT backfills_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.backups
    ADD CONSTRAINT backups_name_unique UNIQUE (name);

ALTER TABLE ONLY public.backups
    ADD CONSTRAINT backups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.billing_customer
    ADD CONSTRAINT billing_customer_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.billing_customer
    ADD CONSTRAINT billing_customer_stripe_customer_id_unique UNIQUE (stripe_customer_id);

ALTER TABLE ONLY public.billing_notice
    ADD CONSTRAINT billing_notice_user_id_reason_pk PRIMARY KEY (user_id, reason);

ALTER TABLE ONLY public.bulk_action_members
    ADD CONSTRAINT bulk_action_members_action_id_user_id_pk PRIMARY KEY (action_id, user_id);

ALTER TABLE ONLY public.bulk_actions
    ADD CONSTRAINT bulk_actions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.business_location
    ADD CONSTRAINT business_location_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.business_profile
    ADD CONSTRAINT business_profile_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.collection_items
    ADD CONSTRAINT collection_items_user_id_kind_item_id_collection_id_pk PRIMARY KEY (user_id, kind, item_id, collection_id);

ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_user_id_id_pk PRIMARY KEY (user_id, id);

ALTER TABLE ONLY public.complimentary_access
    ADD CONSTRAINT complimentary_access_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.content_block
    ADD CONSTRAINT content_block_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.content_document
    ADD CONSTRAINT content_document_kind_id_pk PRIMARY KEY (kind, id);

ALTER TABLE ONLY public.content_items
    ADD CONSTRAINT content_items_kind_id_pk PRIMARY KEY (kind, id);

ALTER TABLE ONLY public.content_pages
    ADD CONSTRAINT content_pages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.content_revision
    ADD CONSTRAINT content_revision_pkey PRIMARY KEY (revision);

ALTER TABLE ONLY public.content_schedule
    ADD CONSTRAINT content_schedule_kind_id_pk PRIMARY KEY (kind, id);

ALTER TABLE ONLY public.counters
    ADD CONSTRAINT counters_name_bucket_pk PRIMARY KEY (name, bucket);

ALTER TABLE ONLY public.custom_field
    ADD CONSTRAINT custom_field_key_unique UNIQUE (key);

ALTER TABLE ONLY public.custom_field
    ADD CONSTRAINT custom_field_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.custom_field_values
    ADD CONSTRAINT custom_field_values_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.duplicate_subscription
    ADD CONSTRAINT duplicate_subscription_pkey PRIMARY KEY (subscription_id);

ALTER TABLE ONLY public.email_events
    ADD CONSTRAINT email_events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.email_preferences
    ADD CONSTRAINT email_preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.email_replies
    ADD CONSTRAINT email_replies_message_hash_unique UNIQUE (message_hash);

ALTER TABLE ONLY public.email_replies
    ADD CONSTRAINT email_replies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.emailed_changes
    ADD CONSTRAINT emailed_changes_user_id_kind_item_id_version_mailing_id_pk PRIMARY KEY (user_id, kind, item_id, version, mailing_id);

ALTER TABLE ONLY public.first_week
    ADD CONSTRAINT first_week_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.franchisor_rules
    ADD CONSTRAINT franchisor_rules_user_id_topic_pk PRIMARY KEY (user_id, topic);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_claim_token_hash_unique UNIQUE (claim_token_hash);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_giver_token_hash_unique UNIQUE (giver_token_hash);

ALTER TABLE ONLY public.gift_link
    ADD CONSTRAINT gift_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gift_link
    ADD CONSTRAINT gift_link_token_hash_unique UNIQUE (token_hash);

ALTER TABLE ONLY public.gift_link_use
    ADD CONSTRAINT gift_link_use_link_id_mailbox_hash_pk PRIMARY KEY (link_id, mailbox_hash);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_stripe_payment_intent_id_unique UNIQUE (stripe_payment_intent_id);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_stripe_session_id_unique UNIQUE (stripe_session_id);

ALTER TABLE ONLY public.guide_file
    ADD CONSTRAINT guide_file_guide_id_version_pk PRIMARY KEY (guide_id, version);

ALTER TABLE ONLY public.guides
    ADD CONSTRAINT guides_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.imported_posts
    ADD CONSTRAINT imported_posts_source_source_id_pk PRIMARY KEY (source, source_id);

ALTER TABLE ONLY public.imported_stripe_customer
    ADD CONSTRAINT imported_stripe_customer_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.issue_sections
    ADD CONSTRAINT issue_sections_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.issues
    ADD CONSTRAINT issues_slug_unique UNIQUE (slug);

ALTER TABLE ONLY public.item_changes
    ADD CONSTRAINT item_changes_kind_item_id_version_pk PRIMARY KEY (kind, item_id, version);

ALTER TABLE ONLY public.item_uses
    ADD CONSTRAINT item_uses_user_id_kind_item_id_use_pk PRIMARY KEY (user_id, kind, item_id, use);

ALTER TABLE ONLY public.item_votes
    ADD CONSTRAINT item_votes_kind_item_id_user_id_pk PRIMARY KEY (kind, item_id, user_id);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.mailing_counts
    ADD CONSTRAINT mailing_counts_mailing_id_name_cause_pk PRIMARY KEY (mailing_id, name, cause);

ALTER TABLE ONLY public.mailing_hours
    ADD CONSTRAINT mailing_hours_mailing_id_hour_name_pk PRIMARY KEY (mailing_id, hour, name);

ALTER TABLE ONLY public.mailing_links
    ADD CONSTRAINT mailing_links_mailing_id_url_pk PRIMARY KEY (mailing_id, url);

ALTER TABLE ONLY public.mailings
    ADD CONSTRAINT mailings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.media_image
    ADD CONSTRAINT media_image_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.member_facts
    ADD CONSTRAINT member_facts_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.member_feeds
    ADD CONSTRAINT member_feeds_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.member_import_chunks
    ADD CONSTRAINT member_import_chunks_import_id_position_pk PRIMARY KEY (import_id, "position");

ALTER TABLE ONLY public.member_import_rows
    ADD CONSTRAINT member_import_rows_import_id_line_pk PRIMARY KEY (import_id, line);

ALTER TABLE ONLY public.member_imports
    ADD CONSTRAINT member_imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member_notes
    ADD CONSTRAINT member_notes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.member_sources
    ADD CONSTRAINT member_sources_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.member_tags
    ADD CONSTRAINT member_tags_user_id_tag_pk PRIMARY KEY (user_id, tag);

ALTER TABLE ONLY public.member_views
    ADD CONSTRAINT member_views_name_unique UNIQUE (name);

ALTER TABLE ONLY public.member_views
    ADD CONSTRAINT member_views_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.newsletter
    ADD CONSTRAINT newsletter_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.newsletter_subscription
    ADD CONSTRAINT newsletter_subscription_newsletter_id_user_id_pk PRIMARY KEY (newsletter_id, user_id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_code_unique UNIQUE (code);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.offer
    ADD CONSTRAINT offer_stripe_promotion_code_id_unique UNIQUE (stripe_promotion_code_id);

ALTER TABLE ONLY public.page_visits
    ADD CONSTRAINT page_visits_day_path_source_campaign_is_bot_pk PRIMARY KEY (day, path, source, campaign, is_bot);

ALTER TABLE ONLY public.pending_checkout
    ADD CONSTRAINT pending_checkout_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.plan_cancellation
    ADD CONSTRAINT plan_cancellation_pkey PRIMARY KEY (subscription_id);

ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_stripe_price_id_unique UNIQUE (stripe_price_id);

ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_stripe_product_id_unique UNIQUE (stripe_product_id);

ALTER TABLE ONLY public.poll_votes
    ADD CONSTRAINT poll_votes_issue_id_user_id_pk PRIMARY KEY (issue_id, user_id);

ALTER TABLE ONLY public.post_import_items
    ADD CONSTRAINT post_import_items_import_id_position_pk PRIMARY KEY (import_id, "position");

ALTER TABLE ONLY public.post_imports
    ADD CONSTRAINT post_imports_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.price_move_member
    ADD CONSTRAINT price_move_member_move_id_user_id_pk PRIMARY KEY (move_id, user_id);

ALTER TABLE ONLY public.price_move
    ADD CONSTRAINT price_move_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.prompt_answer
    ADD CONSTRAINT prompt_answer_user_id_prompt_id_blank_pk PRIMARY KEY (user_id, prompt_id, blank);

ALTER TABLE ONLY public.prompt_categories
    ADD CONSTRAINT prompt_categories_key_unique UNIQUE (key);

ALTER TABLE ONLY public.prompt_categories
    ADD CONSTRAINT prompt_categories_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.publication_setting_versions
    ADD CONSTRAINT publication_setting_versions_name_version_pk PRIMARY KEY (name, version);

ALTER TABLE ONLY public.publication_settings
    ADD CONSTRAINT publication_settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.question_answers
    ADD CONSTRAINT question_answers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.reader_visits
    ADD CONSTRAINT reader_visits_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.reader_wage
    ADD CONSTRAINT reader_wage_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.reading_state
    ADD CONSTRAINT reading_state_user_id_kind_item_id_pk PRIMARY KEY (user_id, kind, item_id);

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_card_hash_unique UNIQUE (card_hash);

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_mailbox_hash_unique UNIQUE (mailbox_hash);

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_referee_id_unique UNIQUE (referee_id);

ALTER TABLE ONLY public.reply_mailbox
    ADD CONSTRAINT reply_mailbox_pkey PRIMARY KEY (address);

ALTER TABLE ONLY public.retained_suppressions
    ADD CONSTRAINT retained_suppressions_address_hash_stream_pk PRIMARY KEY (address_hash, stream);

ALTER TABLE ONLY public.retention_offer
    ADD CONSTRAINT retention_offer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.revenue_change
    ADD CONSTRAINT revenue_change_customer_id_at_plan_pk PRIMARY KEY (customer_id, at, plan);

ALTER TABLE ONLY public.revenue_cohort_total
    ADD CONSTRAINT revenue_cohort_total_cohort_month_pk PRIMARY KEY (cohort, month);

ALTER TABLE ONLY public.revenue_currency_cohort
    ADD CONSTRAINT revenue_currency_cohort_currency_cohort_month_pk PRIMARY KEY (currency, cohort, month);

ALTER TABLE ONLY public.revenue_currency_month
    ADD CONSTRAINT revenue_currency_month_currency_month_plan_name_pk PRIMARY KEY (currency, month, plan, name);

ALTER TABLE ONLY public.revenue_currency_offer
    ADD CONSTRAINT revenue_currency_offer_promotion_code_id_currency_pk PRIMARY KEY (promotion_code_id, currency);

ALTER TABLE ONLY public.revenue_customer
    ADD CONSTRAINT revenue_customer_pkey PRIMARY KEY (customer_id);

ALTER TABLE ONLY public.revenue_invoice
    ADD CONSTRAINT revenue_invoice_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.revenue_monthly_total
    ADD CONSTRAINT revenue_monthly_total_month_plan_name_pk PRIMARY KEY (month, plan, name);

ALTER TABLE ONLY public.revenue_offer_total
    ADD CONSTRAINT revenue_offer_total_pkey PRIMARY KEY (promotion_code_id);

ALTER TABLE ONLY public.saved_items
    ADD CONSTRAINT saved_items_user_id_kind_item_id_pk PRIMARY KEY (user_id, kind, item_id);

ALTER TABLE ONLY public.search_vocabulary
    ADD CONSTRAINT search_vocabulary_pkey PRIMARY KEY (word);

ALTER TABLE ONLY public.seed_state
    ADD CONSTRAINT seed_state_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.seen_changes
    ADD CONSTRAINT seen_changes_user_id_kind_item_id_pk PRIMARY KEY (user_id, kind, item_id);

ALTER TABLE ONLY public.segment_members
    ADD CONSTRAINT segment_members_segment_id_user_id_pk PRIMARY KEY (segment_id, user_id);

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_name_unique UNIQUE (name);

ALTER TABLE ONLY public.segments
    ADD CONSTRAINT segments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.senders
    ADD CONSTRAINT senders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series_entry
    ADD CONSTRAINT series_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series_event
    ADD CONSTRAINT series_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series_mailing
    ADD CONSTRAINT series_mailing_pkey PRIMARY KEY (mailing_id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_name_unique UNIQUE (name);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series_segment_member
    ADD CONSTRAINT series_segment_member_series_id_user_id_pk PRIMARY KEY (series_id, user_id);

ALTER TABLE ONLY public.series_step_result
    ADD CONSTRAINT series_step_result_entry_id_step_id_pk PRIMARY KEY (entry_id, step_id);

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_token_hash_unique UNIQUE (token_hash);

ALTER TABLE ONLY public.site_page
    ADD CONSTRAINT site_page_path_unique UNIQUE (path);

ALTER TABLE ONLY public.site_page
    ADD CONSTRAINT site_page_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.staff_email_choice
    ADD CONSTRAINT staff_email_choice_user_id_kind_pk PRIMARY KEY (user_id, kind);

ALTER TABLE ONLY public.staff_email_sent
    ADD CONSTRAINT staff_email_sent_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.staff_event
    ADD CONSTRAINT staff_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.staff_invitations
    ADD CONSTRAINT staff_invitations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stripe_adoption
    ADD CONSTRAINT stripe_adoption_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stripe_adoption_subscription
    ADD CONSTRAINT stripe_adoption_subscription_adoption_id_subscription_id_pk PRIMARY KEY (adoption_id, subscription_id);

ALTER TABLE ONLY public.stripe_event
    ADD CONSTRAINT stripe_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscription_state
    ADD CONSTRAINT subscription_state_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.suppressions
    ADD CONSTRAINT suppressions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.suspended_staff
    ADD CONSTRAINT suspended_staff_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_collection_item
    ADD CONSTRAINT team_collection_item_owner_id_kind_item_id_pk PRIMARY KEY (owner_id, kind, item_id);

ALTER TABLE ONLY public.team_invitation
    ADD CONSTRAINT team_invitation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_seat_location
    ADD CONSTRAINT team_seat_location_user_id_location_id_pk PRIMARY KEY (user_id, location_id);

ALTER TABLE ONLY public.team_seat
    ADD CONSTRAINT team_seat_owner_id_seat_pk PRIMARY KEY (owner_id, seat);

ALTER TABLE ONLY public.team_seat
    ADD CONSTRAINT team_seat_user_id_unique UNIQUE (user_id);

ALTER TABLE ONLY public.throttle_usage
    ADD CONSTRAINT throttle_usage_domain_minute_pk PRIMARY KEY (domain, minute);

ALTER TABLE ONLY public.tools
    ADD CONSTRAINT tools_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.trial_card_usage
    ADD CONSTRAINT trial_card_usage_pkey PRIMARY KEY (fingerprint_hash);

ALTER TABLE ONLY public.trial_card_usage
    ADD CONSTRAINT trial_card_usage_subscription_id_unique UNIQUE (subscription_id);

ALTER TABLE ONLY public.trial_usage
    ADD CONSTRAINT trial_usage_pkey PRIMARY KEY (address_hash);

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_user_id_kind_item_id_pk PRIMARY KEY (user_id, kind, item_id);

ALTER TABLE ONLY public.try_days
    ADD CONSTRAINT try_days_user_id_kind_item_id_day_pk PRIMARY KEY (user_id, kind, item_id, day);

ALTER TABLE ONLY public.try_totals
    ADD CONSTRAINT try_totals_kind_item_id_pk PRIMARY KEY (kind, item_id);

ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_id_role_pk PRIMARY KEY (user_id, role);

ALTER TABLE ONLY public.view_as_sessions
    ADD CONSTRAINT view_as_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.visitors
    ADD CONSTRAINT visitors_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (id);

CREATE INDEX audit_log_entries_access_idx ON auth.audit_log_entries USING btree (((payload ->> 'user_id'::text)), created_at DESC NULLS LAST, id DESC NULLS LAST) WHERE ((payload ->> 'action'::text) = ANY (ARRAY['access_granted'::text, 'access_revoked'::text, 'team_joined'::text, 'team_left'::text, 'team_removed'::text, 'account_disabled'::text, 'account_enabled'::text]));

CREATE INDEX audit_log_entries_action_idx ON auth.audit_log_entries USING btree (((payload ->> 'action'::text)), created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX audit_log_entries_actor_idx ON auth.audit_log_entries USING btree (((payload ->> 'actor_id'::text)), created_at DESC NULLS LAST, id DESC NULLS LAST) WHERE ((payload ->> 'actor_id'::text) IS NOT NULL);

CREATE INDEX audit_log_entries_created_at_id_idx ON auth.audit_log_entries USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX audit_log_entries_created_at_idx ON auth.audit_log_entries USING btree (created_at);

CREATE INDEX audit_log_entries_email_hash_idx ON auth.audit_log_entries USING btree (((payload ->> 'email_hash'::text))) WHERE ((payload ->> 'email_hash'::text) IS NOT NULL);

CREATE INDEX audit_log_entries_staff_idx ON auth.audit_log_entries USING btree (((payload ->> 'user_id'::text)), created_at DESC NULLS LAST, id DESC NULLS LAST) WHERE ((payload ->> 'by'::text) IS NOT NULL);

CREATE INDEX audit_log_entries_user_idx ON auth.audit_log_entries USING btree (((payload ->> 'user_id'::text)), created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE UNIQUE INDEX backup_codes_user_id_code_hash_key ON auth.backup_codes USING btree (user_id, code_hash);

CREATE INDEX flow_state_link_token_hash_idx ON auth.flow_state USING btree (link_token_hash);

CREATE INDEX flow_state_one_time_token_id_idx ON auth.flow_state USING btree (one_time_token_id);

CREATE INDEX flow_state_user_id_idx ON auth.flow_state USING btree (user_id);

CREATE UNIQUE INDEX identities_provider_id_provider_unique ON auth.identities USING btree (provider_id, provider);

CREATE INDEX identities_user_id_idx ON auth.identities USING btree (user_id);

CREATE INDEX known_addresses_expires_at_idx ON auth.known_addresses USING btree (expires_at);

CREATE UNIQUE INDEX mfa_amr_claims_session_id_authentication_method_pkey ON auth.mfa_amr_claims USING btree (session_id, authentication_method);

CREATE INDEX mfa_challenge_created_at_idx ON auth.mfa_challenges USING btree (created_at DESC NULLS LAST);

CREATE INDEX mfa_challenges_factor_id_idx ON auth.mfa_challenges USING btree (factor_id);

CREATE UNIQUE INDEX mfa_factors_user_friendly_name_unique ON auth.mfa_factors USING btree (friendly_name, user_id) WHERE (TRIM(BOTH FROM friendly_name) <> ''::text);

CREATE INDEX mfa_factors_user_id_idx ON auth.mfa_factors USING btree (user_id);

CREATE INDEX one_time_tokens_relates_to_hash_idx ON auth.one_time_tokens USING hash (relates_to);

CREATE INDEX one_time_tokens_token_hash_hash_idx ON auth.one_time_tokens USING hash (token_hash);

CREATE INDEX one_time_tokens_user_id_idx ON auth.one_time_tokens USING btree (user_id);

CREATE UNIQUE INDEX one_time_tokens_user_id_token_type_key ON auth.one_time_tokens USING btree (user_id, token_type) WHERE (encrypted_password IS NULL);

CREATE INDEX refresh_tokens_parent_idx ON auth.refresh_tokens USING btree (parent);

CREATE INDEX refresh_tokens_session_id_revoked_idx ON auth.refresh_tokens USING btree (session_id, revoked);

CREATE UNIQUE INDEX refresh_tokens_token_unique ON auth.refresh_tokens USING btree (token);

CREATE INDEX sessions_not_after_idx ON auth.sessions USING btree (not_after DESC NULLS LAST);

CREATE INDEX sessions_trusted_device_id_idx ON auth.sessions USING btree (trusted_device_id);

CREATE INDEX trusted_devices_expires_at_idx ON auth.trusted_devices USING btree (expires_at);

CREATE INDEX trusted_devices_user_id_idx ON auth.trusted_devices USING btree (user_id);

CREATE INDEX user_id_created_at_idx ON auth.sessions USING btree (user_id, created_at);

CREATE INDEX users_created_at_id_idx ON auth.users USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE UNIQUE INDEX users_email_partial_key ON auth.users USING btree (email) WHERE (is_sso_user = false);

CREATE INDEX users_email_prefix_idx ON auth.users USING btree (email text_pattern_ops);

CREATE INDEX users_email_trgm_idx ON auth.users USING gin (email public.gin_trgm_ops);

CREATE UNIQUE INDEX users_phone_key ON auth.users USING btree (phone);

CREATE INDEX webauthn_challenges_expires_at_idx ON auth.webauthn_challenges USING btree (expires_at);

CREATE INDEX webauthn_challenges_user_id_idx ON auth.webauthn_challenges USING btree (user_id);

CREATE UNIQUE INDEX webauthn_credentials_credential_id_key ON auth.webauthn_credentials USING btree (credential_id);

CREATE INDEX webauthn_credentials_user_id_idx ON auth.webauthn_credentials USING btree (user_id);

CREATE INDEX account_emails_email_requested_at_idx ON public.account_emails USING btree (email, requested_at, id);

CREATE INDEX account_emails_requested_at_idx ON public.account_emails USING btree (requested_at);

CREATE INDEX api_keys_created_by_id_idx ON public.api_keys USING btree (created_by_id);

CREATE UNIQUE INDEX api_keys_key_hash_key ON public.api_keys USING btree (key_hash);

CREATE INDEX api_requests_created_at_idx ON public.api_requests USING btree (created_at);

CREATE INDEX archives_created_at_idx ON public.archives USING btree (created_at DESC NULLS LAST);

CREATE UNIQUE INDEX archives_open_key ON public.archives USING btree ((true)) WHERE (status = ANY (ARRAY['queued'::text, 'building'::text]));

CREATE INDEX assignment_notice_user_id_idx ON public.assignment_notice USING btree (user_id);

CREATE INDEX assignment_notice_waiting_idx ON public.assignment_notice USING btree (created_at) WHERE (handled_at IS NULL);

CREATE INDEX assignment_reminder_user_id_idx ON public.assignment_reminder USING btree (user_id);

CREATE INDEX backups_started_at_idx ON public.backups USING btree (started_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX bulk_action_members_open_idx ON public.bulk_action_members USING btree (action_id, user_id) WHERE (outcome IS NULL);

CREATE INDEX bulk_action_members_user_id_idx ON public.bulk_action_members USING btree (user_id);

CREATE INDEX bulk_actions_created_at_idx ON public.bulk_actions USING btree (created_at, id);

CREATE INDEX bulk_actions_open_idx ON public.bulk_actions USING btree (status) WHERE (status = ANY (ARRAY['running'::text, 'undoing'::text]));

CREATE INDEX business_location_user_id_created_at_idx ON public.business_location USING btree (user_id, created_at);

CREATE INDEX collection_items_list_idx ON public.collection_items USING btree (user_id, collection_id, at DESC NULLS LAST, kind DESC NULLS LAST, item_id DESC NULLS LAST) WHERE member;

CREATE INDEX content_document_kind_updated_at_idx ON public.content_document USING btree (kind, updated_at);

CREATE INDEX content_items_kind_day_idx ON public.content_items USING btree (kind, day DESC NULLS LAST, id);

CREATE INDEX content_items_parent_id_kind_idx ON public.content_items USING btree (parent_id, kind);

CREATE INDEX content_items_search_idx ON public.content_items USING gin (search);

CREATE INDEX content_items_title_search_idx ON public.content_items USING gin (ts_filter(search, '{a}'::"char"[]));

CREATE INDEX content_revision_kind_id_revision_idx ON public.content_revision USING btree (kind, id, revision DESC NULLS LAST);

CREATE INDEX content_schedule_publish_at_idx ON public.content_schedule USING btree (publish_at);

CREATE INDEX deliveries_clicked_idx ON public.deliveries USING btree (mailing_id, id) WHERE (clicked_at IS NOT NULL);

CREATE INDEX deliveries_feedback_idx ON public.deliveries USING btree (mailing_id, id) WHERE ((bounce_type IS NOT NULL) OR (complained_at IS NOT NULL) OR (unsubscribed_at IS NOT NULL));

CREATE INDEX deliveries_list_idx ON public.deliveries USING btree (mailing_id, status, id);

CREATE INDEX deliveries_send_at_idx ON public.deliveries USING btree (mailing_id, send_at, id) WHERE ((send_at IS NOT NULL) AND (status = 'pending'::text));

CREATE INDEX deliveries_sending_idx ON public.deliveries USING btree (sender_id) WHERE (status = 'sending'::text);

CREATE INDEX deliveries_subject_idx ON public.deliveries USING btree (mailing_id, subject_index) WHERE (subject_index IS NOT NULL);

CREATE INDEX deliveries_test_open_idx ON public.deliveries USING btree (mailing_id, id) WHERE ((subject_index IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'sending'::text])));

CREATE UNIQUE INDEX deliveries_user_id_issue_id_key ON public.deliveries USING btree (user_id, issue_id) WHERE ((issue_id IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'sending'::text, 'submitted'::text, 'unknown'::text])));

CREATE UNIQUE INDEX deliveries_user_id_mailing_id_key ON public.deliveries USING btree (user_id, mailing_id);

CREATE INDEX duplicate_subscription_user_id_idx ON public.duplicate_subscription USING btree (user_id);

CREATE INDEX email_events_delivery_id_idx ON public.email_events USING btree (delivery_id);

CREATE INDEX email_events_email_idx ON public.email_events USING btree (email, occurred_at DESC NULLS LAST);

CREATE UNIQUE INDEX email_events_source_external_id_key ON public.email_events USING btree (source, external_id);

CREATE INDEX email_preferences_drops_off_idx ON public.email_preferences USING btree (user_id) WHERE (drops = 'off'::text);

CREATE INDEX email_preferences_free_idx ON public.email_preferences USING btree (user_id) WHERE (free_since IS NOT NULL);

CREATE INDEX email_preferences_news_off_idx ON public.email_preferences USING btree (user_id) WHERE (NOT news);

CREATE INDEX email_preferences_unsubscribed_at_idx ON public.email_preferences USING btree (unsubscribed_at, user_id) WHERE (unsubscribed_at IS NOT NULL);

CREATE INDEX email_replies_at_idx ON public.email_replies USING btree (at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX email_replies_issue_id_idx ON public.email_replies USING btree (issue_id);

CREATE INDEX email_replies_mailing_id_idx ON public.email_replies USING btree (mailing_id);

CREATE INDEX email_replies_user_id_idx ON public.email_replies USING btree (user_id);

CREATE INDEX emailed_changes_mailing_idx ON public.emailed_changes USING btree (mailing_id, user_id);

CREATE INDEX gift_claimed_by_idx ON public.gift USING btree (claimed_by);

CREATE INDEX gift_created_at_idx ON public.gift USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX gift_giver_email_idx ON public.gift USING btree (giver_email);

CREATE INDEX gift_link_use_user_id_idx ON public.gift_link_use USING btree (user_id);

CREATE INDEX gift_open_idx ON public.gift USING btree (state, deliver_at) WHERE (state = ANY (ARRAY['unpaid'::text, 'scheduled'::text, 'sent'::text, 'refunding'::text]));

CREATE INDEX gift_recipient_email_idx ON public.gift USING btree (recipient_email);

CREATE INDEX imported_posts_slug_idx ON public.imported_posts USING btree (slug);

CREATE INDEX issue_sections_issue_id_position_idx ON public.issue_sections USING btree (issue_id, "position");

CREATE INDEX issues_date_id_idx ON public.issues USING btree (date DESC, id) WHERE (published_at IS NOT NULL);

CREATE INDEX issues_published_at_idx ON public.issues USING btree (published_at);

CREATE INDEX item_uses_item_idx ON public.item_uses USING btree (kind, item_id);

CREATE INDEX item_votes_user_id_idx ON public.item_votes USING btree (user_id, kind);

CREATE INDEX mailings_alerts_idx ON public.mailings USING btree (updated_at DESC NULLS LAST) WHERE ((send_failure IS NOT NULL) OR (status = 'paused'::text));

CREATE INDEX mailings_created_at_idx ON public.mailings USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX mailings_open_idx ON public.mailings USING btree (status) WHERE (status = ANY (ARRAY['scheduled'::text, 'preparing'::text, 'sending'::text]));

CREATE INDEX mailings_started_at_idx ON public.mailings USING btree (started_at DESC NULLS LAST, id DESC NULLS LAST) WHERE (started_at IS NOT NULL);

CREATE INDEX media_image_created_at_idx ON public.media_image USING btree (created_at DESC NULLS LAST, hash DESC NULLS LAST);

CREATE INDEX member_facts_created_at_idx ON public.member_facts USING btree (created_at, user_id);

ALTER TABLE public.member_facts CLUSTER ON member_facts_created_at_idx;

CREATE INDEX member_facts_filter_idx ON public.member_facts USING gin (tokens, search public.gin_trgm_ops, field_tokens) WITH (fastupdate='false');

CREATE INDEX member_facts_lapsed_idx ON public.member_facts USING btree (plan_until) WHERE (plan_until > '-infinity'::timestamp with time zone);

CREATE INDEX member_facts_last_active_at_idx ON public.member_facts USING btree (last_active_at, user_id);

CREATE INDEX member_facts_product_id_idx ON public.member_facts USING btree (product_id) WHERE (plan_status IS NOT NULL);

CREATE INDEX member_facts_renews_at_idx ON public.member_facts USING btree (renews_at, user_id);

CREATE INDEX member_import_rows_email_idx ON public.member_import_rows USING btree (email);

CREATE INDEX member_import_rows_import_id_email_idx ON public.member_import_rows USING btree (import_id, email);

CREATE INDEX member_imports_created_at_idx ON public.member_imports USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX member_notes_created_by_id_idx ON public.member_notes USING btree (created_by_id);

CREATE INDEX member_notes_updated_by_id_idx ON public.member_notes USING btree (updated_by_id);

CREATE INDEX member_notes_user_id_created_at_idx ON public.member_notes USING btree (user_id, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX member_sources_first_source_idx ON public.member_sources USING btree (first_source);

CREATE INDEX member_tags_tag_joined_idx ON public.member_tags USING btree (tag, joined_micros DESC NULLS LAST, user_id DESC NULLS LAST);

CREATE UNIQUE INDEX newsletter_name_key ON public.newsletter USING btree (lower(name)) WHERE (retired_at IS NULL);

CREATE INDEX newsletter_subscription_unsubscribed_at_idx ON public.newsletter_subscription USING btree (changed_at, user_id) WHERE (NOT subscribed);

CREATE INDEX newsletter_subscription_unsubscribed_idx ON public.newsletter_subscription USING btree (newsletter_id, user_id) WHERE (NOT subscribed);

CREATE INDEX newsletter_subscription_user_id_idx ON public.newsletter_subscription USING btree (user_id);

CREATE INDEX plan_cancellation_canceled_at_idx ON public.plan_cancellation USING btree (canceled_at DESC NULLS LAST, subscription_id DESC NULLS LAST);

CREATE INDEX plan_cancellation_customer_id_idx ON public.plan_cancellation USING btree (customer_id);

CREATE INDEX poll_votes_user_id_idx ON public.poll_votes USING btree (user_id);

CREATE INDEX post_imports_created_at_idx ON public.post_imports USING btree (created_at DESC NULLS LAST);

CREATE UNIQUE INDEX post_imports_open_key ON public.post_imports USING btree ((true)) WHERE (status = ANY (ARRAY['checking'::text, 'importing'::text]));

CREATE INDEX price_move_created_at_idx ON public.price_move USING btree (plan, created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX price_move_member_effective_at_idx ON public.price_move_member USING btree (move_id, state, effective_at);

CREATE INDEX price_move_member_user_id_idx ON public.price_move_member USING btree (user_id);

CREATE UNIQUE INDEX price_move_open_key ON public.price_move USING btree (plan) WHERE (status <> ALL (ARRAY['finished'::text, 'canceled'::text]));

CREATE INDEX prompt_answer_user_id_answered_at_idx ON public.prompt_answer USING btree (user_id, answered_at);

CREATE INDEX prompts_category_id_position_idx ON public.prompts USING btree (category_id, "position");

CREATE INDEX question_answers_at_idx ON public.question_answers USING btree (at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX question_answers_issue_id_idx ON public.question_answers USING btree (issue_id, user_id);

CREATE INDEX question_answers_user_id_idx ON public.question_answers USING btree (user_id);

CREATE INDEX rate_limits_expires_at_idx ON public.rate_limits USING btree (expires_at);

CREATE INDEX reading_state_continue_idx ON public.reading_state USING btree (user_id, position_at DESC NULLS LAST) WHERE ((finished_at IS NULL) AND (position_at IS NOT NULL));

CREATE INDEX referral_created_at_idx ON public.referral USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX referral_invoice_id_idx ON public.referral USING btree (invoice_id);

CREATE INDEX referral_pending_idx ON public.referral USING btree (created_at) WHERE (state = 'pending'::text);

CREATE INDEX referral_referrer_id_idx ON public.referral USING btree (referrer_id, decided_at);

CREATE INDEX retention_offer_offered_at_idx ON public.retention_offer USING btree (offered_at);

CREATE INDEX retention_offer_user_id_idx ON public.retention_offer USING btree (user_id, offered_at DESC NULLS LAST);

CREATE INDEX revenue_invoice_customer_id_idx ON public.revenue_invoice USING btree (customer_id);

CREATE INDEX saved_items_item_idx ON public.saved_items USING btree (kind, item_id) WHERE saved;

CREATE INDEX saved_items_kind_idx ON public.saved_items USING btree (user_id, kind, at DESC NULLS LAST, item_id DESC NULLS LAST) WHERE saved;

CREATE INDEX saved_items_list_idx ON public.saved_items USING btree (user_id, at DESC NULLS LAST, kind DESC NULLS LAST, item_id DESC NULLS LAST) WHERE saved;

CREATE INDEX search_vocabulary_lexeme_idx ON public.search_vocabulary USING btree (lexeme);

CREATE INDEX search_vocabulary_word_prefix_idx ON public.search_vocabulary USING btree (word text_pattern_ops);

CREATE INDEX search_vocabulary_word_trgm_idx ON public.search_vocabulary USING gin (word public.gin_trgm_ops);

CREATE INDEX segment_members_user_id_idx ON public.segment_members USING btree (user_id);

CREATE INDEX series_entry_due_idx ON public.series_entry USING btree (series_id, due_at, id) WHERE (due_at IS NOT NULL);

CREATE INDEX series_entry_ended_idx ON public.series_entry USING btree (series_id, end_reason, step_id, id) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX series_entry_series_id_user_id_round_key ON public.series_entry USING btree (series_id, user_id, round);

CREATE INDEX series_entry_user_id_idx ON public.series_entry USING btree (user_id);

CREATE INDEX series_entry_waiting_idx ON public.series_entry USING btree (series_id, step_id, id) WHERE (due_at IS NOT NULL);

CREATE INDEX series_event_user_id_idx ON public.series_event USING btree (user_id);

CREATE INDEX series_mailing_series_id_step_id_idx ON public.series_mailing USING btree (series_id, step_id);

CREATE INDEX series_segment_member_user_id_idx ON public.series_segment_member USING btree (user_id);

CREATE INDEX series_step_result_step_idx ON public.series_step_result USING btree (step_id, outcome, entry_id);

CREATE INDEX share_links_user_id_created_at_idx ON public.share_links USING btree (user_id, created_at DESC NULLS LAST);

CREATE INDEX staff_email_choice_kind_idx ON public.staff_email_choice USING btree (kind);

CREATE INDEX staff_event_kind_idx ON public.staff_event USING btree (kind);

CREATE UNIQUE INDEX staff_invitations_email_key ON public.staff_invitations USING btree (email);

CREATE UNIQUE INDEX staff_invitations_token_hash_key ON public.staff_invitations USING btree (token_hash);

CREATE INDEX stripe_adoption_created_at_idx ON public.stripe_adoption USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE UNIQUE INDEX stripe_adoption_open_key ON public.stripe_adoption USING btree ((true)) WHERE (status = ANY (ARRAY['listing'::text, 'listed'::text, 'running'::text]));

CREATE INDEX stripe_adoption_subscription_address_idx ON public.stripe_adoption_subscription USING btree (address);

CREATE INDEX stripe_adoption_subscription_customer_idx ON public.stripe_adoption_subscription USING btree (adoption_id, stripe_customer);

CREATE INDEX stripe_event_customer_id_created_idx ON public.stripe_event USING btree (customer_id, created DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX stripe_event_processed_at_idx ON public.stripe_event USING btree (processed_at);

CREATE INDEX subscription_state_card_hash_idx ON public.subscription_state USING btree (card_hash);

CREATE INDEX subscription_state_entitled_until_idx ON public.subscription_state USING btree (entitled_until);

CREATE INDEX subscription_state_pause_ends_at_idx ON public.subscription_state USING btree (pause_ends_at);

CREATE INDEX subscription_state_seats_change_at_idx ON public.subscription_state USING btree (seats_change_at) WHERE (seats_change_at IS NOT NULL);

CREATE UNIQUE INDEX subscription_state_stripe_subscription_id_key ON public.subscription_state USING btree (stripe_subscription_id);

CREATE INDEX subscription_state_unpaid_idx ON public.subscription_state USING btree (unpaid_since DESC NULLS LAST) WHERE (status = ANY (ARRAY['past_due'::text, 'unpaid'::text]));

CREATE INDEX suppressions_created_at_idx ON public.suppressions USING btree (created_at DESC NULLS LAST, id DESC NULLS LAST);

CREATE INDEX suppressions_email_trgm_idx ON public.suppressions USING gin (email public.gin_trgm_ops);

CREATE UNIQUE INDEX suppressions_live_key ON public.suppressions USING btree (email, stream) WHERE (lifted_at IS NULL);

CREATE INDEX team_assignment_assignee_id_idx ON public.team_assignment USING btree (assignee_id);

CREATE INDEX team_assignment_created_by_idx ON public.team_assignment USING btree (created_by);

CREATE INDEX team_assignment_done_by_idx ON public.team_assignment USING btree (done_by);

CREATE INDEX team_assignment_due_on_idx ON public.team_assignment USING btree (due_on) WHERE ((NOT done) AND (NOT removed));

CREATE INDEX team_assignment_location_id_idx ON public.team_assignment USING btree (location_id);

CREATE INDEX team_assignment_owner_id_created_at_idx ON public.team_assignment USING btree (owner_id, created_at DESC NULLS LAST);

CREATE INDEX team_invitation_email_idx ON public.team_invitation USING btree (email);

CREATE UNIQUE INDEX team_invitation_owner_id_email_key ON public.team_invitation USING btree (owner_id, email);

CREATE UNIQUE INDEX team_invitation_token_hash_key ON public.team_invitation USING btree (token_hash);

CREATE INDEX team_seat_location_location_id_idx ON public.team_seat_location USING btree (location_id);

CREATE INDEX throttle_usage_minute_idx ON public.throttle_usage USING btree (minute);

CREATE INDEX tries_due_idx ON public.tries USING btree (started_at) WHERE ((answered_at IS NULL) AND (removed_at IS NULL) AND (asked_at IS NULL));

CREATE INDEX tries_item_idx ON public.tries USING btree (kind, item_id, counted_outcome);

CREATE INDEX tries_shared_idx ON public.tries USING btree (shared_at DESC NULLS LAST) WHERE (shared_at IS NOT NULL);

CREATE INDEX tries_uncounted_idx ON public.tries USING btree (kind, item_id) WHERE (outcome IS DISTINCT FROM counted_outcome);

CREATE UNIQUE INDEX user_roles_user_id_key ON public.user_roles USING btree (user_id);

CREATE UNIQUE INDEX view_as_sessions_open_key ON public.view_as_sessions USING btree (staff_id) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX view_as_sessions_token_hash_key ON public.view_as_sessions USING btree (token_hash);

CREATE INDEX view_as_sessions_user_id_created_at_idx ON public.view_as_sessions USING btree (user_id, created_at);

CREATE INDEX visitors_seen_at_idx ON public.visitors USING btree (seen_at);

CREATE INDEX webhook_attempts_delivery_id_idx ON public.webhook_attempts USING btree (delivery_id);

CREATE INDEX webhook_deliveries_endpoint_id_id_idx ON public.webhook_deliveries USING btree (endpoint_id, id DESC NULLS LAST);

CREATE UNIQUE INDEX webhook_deliveries_event_id_endpoint_id_key ON public.webhook_deliveries USING btree (event_id, endpoint_id);

CREATE INDEX webhook_deliveries_next_attempt_at_idx ON public.webhook_deliveries USING btree (next_attempt_at);

CREATE INDEX webhook_events_created_at_idx ON public.webhook_events USING btree (created_at);

CREATE INDEX webhook_events_subject_idx ON public.webhook_events USING btree (subject);

CREATE TRIGGER users_counted_in AFTER INSERT ON auth.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();

CREATE TRIGGER users_counted_out AFTER DELETE ON auth.users REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_users();

CREATE TRIGGER users_facts_again AFTER UPDATE ON auth.users FOR EACH ROW WHEN ((((((((old.email)::text IS DISTINCT FROM (new.email)::text) OR (old.raw_user_meta_data IS DISTINCT FROM new.raw_user_meta_data)) OR (old.email_confirmed_at IS DISTINCT FROM new.email_confirmed_at)) OR (old.banned_until IS DISTINCT FROM new.banned_until)) OR (old.last_sign_in_at IS DISTINCT FROM new.last_sign_in_at)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION public.member_facts_of_changed_user();

CREATE TRIGGER users_facts_in AFTER INSERT ON auth.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_new_users();

CREATE TRIGGER users_newsletters AFTER INSERT ON auth.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.subscribe_new_members();

CREATE TRIGGER users_staff_event AFTER INSERT ON auth.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.record_new_members();

CREATE TRIGGER webhook_member_created_or_deleted AFTER INSERT OR DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION public.emit_member_event();

CREATE TRIGGER webhook_member_updated AFTER UPDATE OF email, raw_user_meta_data, deleted_at ON auth.users FOR EACH ROW EXECUTE FUNCTION public.emit_member_event();

CREATE TRIGGER complimentary_facts_again AFTER UPDATE ON public.complimentary_access REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER complimentary_facts_in AFTER INSERT ON public.complimentary_access REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER complimentary_facts_out AFTER DELETE ON public.complimentary_access REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER deliveries_count_inserted AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_inserted_deliveries();

CREATE TRIGGER deliveries_count_updated AFTER UPDATE ON public.deliveries REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_updated_deliveries();

CREATE TRIGGER deliveries_facts_in AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_new_deliveries();

CREATE TRIGGER email_events_count_inserted AFTER INSERT ON public.email_events REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_inserted_email_events();

CREATE TRIGGER email_events_count_updated AFTER UPDATE ON public.email_events REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_updated_email_events();

CREATE TRIGGER field_values_facts_again AFTER UPDATE ON public.custom_field_values REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_field_values();

CREATE TRIGGER field_values_facts_in AFTER INSERT ON public.custom_field_values REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_field_values();

CREATE TRIGGER field_values_facts_out AFTER DELETE ON public.custom_field_values REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_field_values();

CREATE TRIGGER field_values_series_event_again AFTER UPDATE ON public.custom_field_values REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.series_events_of_changed_fields();

CREATE TRIGGER field_values_series_event_in AFTER INSERT ON public.custom_field_values REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.series_events_of_new_fields();

CREATE TRIGGER locations_facts_again AFTER UPDATE ON public.business_location REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER locations_facts_in AFTER INSERT ON public.business_location REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER locations_facts_out AFTER DELETE ON public.business_location REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER notes_facts AFTER INSERT OR DELETE ON public.member_notes FOR EACH ROW EXECUTE FUNCTION public.member_facts_of_notes();

CREATE TRIGGER preferences_facts_again AFTER UPDATE ON public.user_preferences REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER preferences_facts_in AFTER INSERT ON public.user_preferences REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER preferences_facts_out AFTER DELETE ON public.user_preferences REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER seats_facts_again AFTER UPDATE ON public.team_seat REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER seats_facts_in AFTER INSERT ON public.team_seat REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER seats_facts_out AFTER DELETE ON public.team_seat REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER subscriptions_counted_again AFTER UPDATE ON public.subscription_state REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_live_subscriptions();

CREATE TRIGGER subscriptions_counted_in AFTER INSERT ON public.subscription_state REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_live_subscriptions();

CREATE TRIGGER subscriptions_counted_out AFTER DELETE ON public.subscription_state REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.count_live_subscriptions();

CREATE TRIGGER subscriptions_facts_again AFTER UPDATE ON public.subscription_state REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_subscriptions();

CREATE TRIGGER subscriptions_facts_in AFTER INSERT ON public.subscription_state REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_subscriptions();

CREATE TRIGGER subscriptions_facts_out AFTER DELETE ON public.subscription_state REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_subscriptions();

CREATE TRIGGER suppressions_facts_again AFTER UPDATE ON public.suppressions REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_suppressions();

CREATE TRIGGER suppressions_facts_in AFTER INSERT ON public.suppressions REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_suppressions();

CREATE TRIGGER suppressions_facts_out AFTER DELETE ON public.suppressions REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_suppressions();

CREATE TRIGGER tags_facts_again AFTER UPDATE ON public.member_tags REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER tags_facts_in AFTER INSERT ON public.member_tags REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER tags_facts_out AFTER DELETE ON public.member_tags REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.member_facts_of_rows();

CREATE TRIGGER tags_series_event AFTER INSERT ON public.member_tags REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.series_events_of_tags();

CREATE TRIGGER webhook_drop_published AFTER INSERT OR UPDATE OF published_at ON public.issues FOR EACH ROW EXECUTE FUNCTION public.emit_drop_event();

CREATE TRIGGER webhook_mailing_sent AFTER UPDATE OF status ON public.mailings FOR EACH ROW EXECUTE FUNCTION public.emit_mailing_event();

CREATE TRIGGER webhook_member_field_values AFTER INSERT OR DELETE OR UPDATE ON public.custom_field_values FOR EACH ROW EXECUTE FUNCTION public.emit_tag_event();

CREATE TRIGGER webhook_member_tagged AFTER INSERT OR DELETE ON public.member_tags FOR EACH ROW EXECUTE FUNCTION public.emit_tag_event();

CREATE TRIGGER webhook_member_unsubscribed AFTER INSERT OR UPDATE OF drops, news ON public.email_preferences FOR EACH ROW EXECUTE FUNCTION public.emit_unsubscribed_event();

CREATE TRIGGER webhook_newsletter_unsubscribed AFTER UPDATE OF subscribed ON public.newsletter_subscription FOR EACH ROW WHEN ((old.subscribed AND (NOT new.subscribed))) EXECUTE FUNCTION public.emit_newsletter_unsubscribed_event();

CREATE TRIGGER webhook_subscription AFTER INSERT OR UPDATE ON public.subscription_state FOR EACH ROW EXECUTE FUNCTION public.emit_subscription_event();

ALTER TABLE ONLY auth.backup_codes
    ADD CONSTRAINT backup_codes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.known_addresses
    ADD CONSTRAINT known_addresses_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.mfa_amr_claims
    ADD CONSTRAINT mfa_amr_claims_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.mfa_challenges
    ADD CONSTRAINT mfa_challenges_factor_id_mfa_factors_id_fk FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.mfa_factors
    ADD CONSTRAINT mfa_factors_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_id_sessions_id_fk FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_trusted_device_id_trusted_devices_id_fk FOREIGN KEY (trusted_device_id) REFERENCES auth.trusted_devices(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.trusted_devices
    ADD CONSTRAINT trusted_devices_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.webauthn_challenges
    ADD CONSTRAINT webauthn_challenges_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY auth.webauthn_credentials
    ADD CONSTRAINT webauthn_credentials_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_requests
    ADD CONSTRAINT api_requests_key_id_api_keys_id_fk FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assignment_notice
    ADD CONSTRAINT assignment_notice_assignment_id_team_assignment_id_fk FOREIGN KEY (assignment_id) REFERENCES public.team_assignment(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assignment_notice
    ADD CONSTRAINT assignment_notice_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assignment_reminder
    ADD CONSTRAINT assignment_reminder_assignment_id_team_assignment_id_fk FOREIGN KEY (assignment_id) REFERENCES public.team_assignment(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assignment_reminder
    ADD CONSTRAINT assignment_reminder_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.assignment_summary
    ADD CONSTRAINT assignment_summary_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.billing_customer
    ADD CONSTRAINT billing_customer_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.billing_notice
    ADD CONSTRAINT billing_notice_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bulk_action_members
    ADD CONSTRAINT bulk_action_members_action_id_bulk_actions_id_fk FOREIGN KEY (action_id) REFERENCES public.bulk_actions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.bulk_action_members
    ADD CONSTRAINT bulk_action_members_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.business_location
    ADD CONSTRAINT business_location_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.business_profile
    ADD CONSTRAINT business_profile_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.collection_items
    ADD CONSTRAINT collection_items_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.collection_items
    ADD CONSTRAINT collection_items_user_id_collection_id_collections_user_id_id_f FOREIGN KEY (user_id, collection_id) REFERENCES public.collections(user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.collection_items
    ADD CONSTRAINT collection_items_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.collections
    ADD CONSTRAINT collections_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.complimentary_access
    ADD CONSTRAINT complimentary_access_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.custom_field_values
    ADD CONSTRAINT custom_field_values_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.duplicate_subscription
    ADD CONSTRAINT duplicate_subscription_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.email_preferences
    ADD CONSTRAINT email_preferences_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.email_replies
    ADD CONSTRAINT email_replies_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.emailed_changes
    ADD CONSTRAINT emailed_changes_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.emailed_changes
    ADD CONSTRAINT emailed_changes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.first_week
    ADD CONSTRAINT first_week_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.franchisor_rules
    ADD CONSTRAINT franchisor_rules_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_claimed_by_users_id_fk FOREIGN KEY (claimed_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.gift_link_use
    ADD CONSTRAINT gift_link_use_link_id_gift_link_id_fk FOREIGN KEY (link_id) REFERENCES public.gift_link(id);

ALTER TABLE ONLY public.gift_link_use
    ADD CONSTRAINT gift_link_use_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.imported_stripe_customer
    ADD CONSTRAINT imported_stripe_customer_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.issue_sections
    ADD CONSTRAINT issue_sections_issue_id_issues_id_fk FOREIGN KEY (issue_id) REFERENCES public.issues(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.item_changes
    ADD CONSTRAINT item_changes_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.item_uses
    ADD CONSTRAINT item_uses_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.item_uses
    ADD CONSTRAINT item_uses_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.item_votes
    ADD CONSTRAINT item_votes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_facts
    ADD CONSTRAINT member_facts_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_feeds
    ADD CONSTRAINT member_feeds_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_import_chunks
    ADD CONSTRAINT member_import_chunks_import_id_member_imports_id_fk FOREIGN KEY (import_id) REFERENCES public.member_imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_import_rows
    ADD CONSTRAINT member_import_rows_import_id_member_imports_id_fk FOREIGN KEY (import_id) REFERENCES public.member_imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_notes
    ADD CONSTRAINT member_notes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_sources
    ADD CONSTRAINT member_sources_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.member_tags
    ADD CONSTRAINT member_tags_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.newsletter_subscription
    ADD CONSTRAINT newsletter_subscription_newsletter_id_newsletter_id_fk FOREIGN KEY (newsletter_id) REFERENCES public.newsletter(id);

ALTER TABLE ONLY public.newsletter_subscription
    ADD CONSTRAINT newsletter_subscription_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.pending_checkout
    ADD CONSTRAINT pending_checkout_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.poll_votes
    ADD CONSTRAINT poll_votes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.post_import_items
    ADD CONSTRAINT post_import_items_import_id_post_imports_id_fk FOREIGN KEY (import_id) REFERENCES public.post_imports(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.price_move_member
    ADD CONSTRAINT price_move_member_move_id_price_move_id_fk FOREIGN KEY (move_id) REFERENCES public.price_move(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.price_move_member
    ADD CONSTRAINT price_move_member_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompt_answer
    ADD CONSTRAINT prompt_answer_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompts
    ADD CONSTRAINT prompts_category_id_prompt_categories_id_fk FOREIGN KEY (category_id) REFERENCES public.prompt_categories(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.question_answers
    ADD CONSTRAINT question_answers_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reader_visits
    ADD CONSTRAINT reader_visits_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reader_wage
    ADD CONSTRAINT reader_wage_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.reading_state
    ADD CONSTRAINT reading_state_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.reading_state
    ADD CONSTRAINT reading_state_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_referee_id_users_id_fk FOREIGN KEY (referee_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.referral
    ADD CONSTRAINT referral_referrer_id_users_id_fk FOREIGN KEY (referrer_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.retention_offer
    ADD CONSTRAINT retention_offer_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.revenue_change
    ADD CONSTRAINT revenue_change_customer_id_revenue_customer_customer_id_fk FOREIGN KEY (customer_id) REFERENCES public.revenue_customer(customer_id);

ALTER TABLE ONLY public.revenue_invoice
    ADD CONSTRAINT revenue_invoice_customer_id_revenue_customer_customer_id_fk FOREIGN KEY (customer_id) REFERENCES public.revenue_customer(customer_id);

ALTER TABLE ONLY public.saved_items
    ADD CONSTRAINT saved_items_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.saved_items
    ADD CONSTRAINT saved_items_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.seen_changes
    ADD CONSTRAINT seen_changes_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.seen_changes
    ADD CONSTRAINT seen_changes_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.segment_members
    ADD CONSTRAINT segment_members_segment_id_segments_id_fk FOREIGN KEY (segment_id) REFERENCES public.segments(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.segment_members
    ADD CONSTRAINT segment_members_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_entry
    ADD CONSTRAINT series_entry_series_id_series_id_fk FOREIGN KEY (series_id) REFERENCES public.series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_entry
    ADD CONSTRAINT series_entry_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_event
    ADD CONSTRAINT series_event_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_mailing
    ADD CONSTRAINT series_mailing_series_id_series_id_fk FOREIGN KEY (series_id) REFERENCES public.series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_segment_member
    ADD CONSTRAINT series_segment_member_series_id_series_id_fk FOREIGN KEY (series_id) REFERENCES public.series(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_segment_member
    ADD CONSTRAINT series_segment_member_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series_step_result
    ADD CONSTRAINT series_step_result_entry_id_series_entry_id_fk FOREIGN KEY (entry_id) REFERENCES public.series_entry(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.share_links
    ADD CONSTRAINT share_links_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.staff_email_choice
    ADD CONSTRAINT staff_email_choice_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.staff_invitations
    ADD CONSTRAINT staff_invitations_invited_by_id_users_id_fk FOREIGN KEY (invited_by_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stripe_adoption_subscription
    ADD CONSTRAINT stripe_adoption_subscription_adoption_id_stripe_adoption_id_fk FOREIGN KEY (adoption_id) REFERENCES public.stripe_adoption(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.subscription_state
    ADD CONSTRAINT subscription_state_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.suspended_staff
    ADD CONSTRAINT suspended_staff_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_assignee_id_users_id_fk FOREIGN KEY (assignee_id) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_created_by_users_id_fk FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_done_by_users_id_fk FOREIGN KEY (done_by) REFERENCES auth.users(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_location_id_business_location_id_fk FOREIGN KEY (location_id) REFERENCES public.business_location(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.team_assignment
    ADD CONSTRAINT team_assignment_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_collection_item
    ADD CONSTRAINT team_collection_item_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.team_collection_item
    ADD CONSTRAINT team_collection_item_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_invitation
    ADD CONSTRAINT team_invitation_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_seat_location
    ADD CONSTRAINT team_seat_location_location_id_business_location_id_fk FOREIGN KEY (location_id) REFERENCES public.business_location(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_seat_location
    ADD CONSTRAINT team_seat_location_user_id_team_seat_user_id_fk FOREIGN KEY (user_id) REFERENCES public.team_seat(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_seat
    ADD CONSTRAINT team_seat_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_seat
    ADD CONSTRAINT team_seat_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_kind_item_id_content_items_kind_id_fk FOREIGN KEY (kind, item_id) REFERENCES public.content_items(kind, id);

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.try_days
    ADD CONSTRAINT try_days_user_id_kind_item_id_tries_user_id_kind_item_id_fk FOREIGN KEY (user_id, kind, item_id) REFERENCES public.tries(user_id, kind, item_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.try_days
    ADD CONSTRAINT try_days_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_preferences
    ADD CONSTRAINT user_preferences_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_roles
    ADD CONSTRAINT user_roles_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.view_as_sessions
    ADD CONSTRAINT view_as_sessions_staff_id_users_id_fk FOREIGN KEY (staff_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.view_as_sessions
    ADD CONSTRAINT view_as_sessions_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_webhook_deliveries_id_fk FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_webhook_endpoints_id_fk FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_event_id_webhook_events_id_fk FOREIGN KEY (event_id) REFERENCES public.webhook_events(id) ON DELETE CASCADE;

-- The three plans that a new publication starts with.
INSERT INTO public.plan (key, "position", name, note, price_cents, currency, "interval", seats) VALUES
    ('pro_monthly', 0, 'Pro Monthly', '', 1000, 'usd', 'month', 1),
    ('pro_yearly', 1, 'Pro Yearly', 'Save $21 a year', 9900, 'usd', 'year', 1),
    ('team_monthly', 2, 'Team Monthly', 'Up to 3 team members', 2000, 'usd', 'month', 3);
