-- Until now every quotation was a prompt. Those that exist are marked as one, so readers see what they saw before.
-- Drafts of imported posts, which no reader has seen, keep their quotations.
CREATE FUNCTION mark_prompts(source text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  line text;
  result text[] := '{}';
  run text[] := '{}';
  fence text;
  mark text;
BEGIN
  IF source IS NULL OR source NOT LIKE '%>%' THEN RETURN source; END IF;
  FOREACH line IN ARRAY string_to_array(source, E'\n') LOOP
    IF fence IS NULL AND (line ~ '^\s*>' OR (cardinality(run) > 0 AND line ~ '^\s*[^-\s*+#|`~\d]')) THEN
      run := run || line;
      CONTINUE;
    END IF;
    result := result || mark_prompt(run) || line;
    run := '{}';
    mark := substring(line FROM '^\s*(```|~~~)');
    IF mark IS NOT NULL THEN
      fence := CASE WHEN fence IS NULL THEN mark WHEN fence = mark THEN NULL ELSE fence END;
    END IF;
  END LOOP;
  RETURN array_to_string(result || mark_prompt(run), E'\n');
END $$;--> statement-breakpoint
CREATE FUNCTION mark_prompt(run text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  indent text := substring(run[1] FROM '^\s*');
  first text := substring(run[1] FROM '^\s*> ?(.*)$');
  inner_text text;
BEGIN
  IF cardinality(run) = 0 OR first ~* '^\s*\[!(PROMPT|COPY)\]\s*$' THEN RETURN run; END IF;
  IF first ~* '^\s*\[!(NOTE|TIP|WARNING)\]\s*$' THEN
    -- A quotation in a callout was a prompt too.
    SELECT string_agg(regexp_replace(line, '^\s*> ?', ''), E'\n' ORDER BY position) INTO inner_text
      FROM unnest(run) WITH ORDINALITY AS lines (line, position);
    IF inner_text !~ '(^|\n)\s*>' THEN RETURN run; END IF;
    RETURN ARRAY(
      SELECT indent || rtrim('> ' || line)
        FROM unnest(string_to_array(mark_prompts(inner_text), E'\n')) WITH ORDINALITY AS lines (line, position)
        ORDER BY position
    );
  END IF;
  -- A list that doesn't begin with 1, and code, can't begin in the line below a text.
  RETURN (indent || '> [!PROMPT]') || CASE WHEN first ~ '^\s*\d|^    ' THEN ARRAY[indent || '>'] ELSE '{}'::text[] END || run;
END $$;--> statement-breakpoint
CREATE FUNCTION mark_examples(examples jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, mark_prompts(value)), '{}') FROM jsonb_each_text(examples)
$$;--> statement-breakpoint
CREATE FUNCTION mark_document(document jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT document
    || coalesce((
      SELECT jsonb_object_agg(key, mark_prompts(value))
        FROM jsonb_each_text(document) WHERE key IN ('worth', 'intro', 'closing')
    ), '{}')
    || CASE WHEN jsonb_typeof(document -> 'sections') IS DISTINCT FROM 'array' THEN '{}' ELSE jsonb_build_object('sections', (
      SELECT coalesce(jsonb_agg(
          section
            || CASE WHEN section ? 'body' THEN jsonb_build_object('body', mark_prompts(section ->> 'body')) ELSE '{}' END
            || CASE WHEN jsonb_typeof(section -> 'examples') = 'object'
                 THEN jsonb_build_object('examples', mark_examples(section -> 'examples')) ELSE '{}' END
          ORDER BY position), '[]')
        FROM jsonb_array_elements(document -> 'sections') WITH ORDINALITY AS sections (section, position)
    )) END
$$;--> statement-breakpoint
UPDATE issues SET worth = mark_prompts(worth), intro = mark_prompts(intro), closing = mark_prompts(closing)
  WHERE concat(worth, intro, closing) LIKE '%>%';--> statement-breakpoint
UPDATE issue_sections SET body = mark_prompts(body), examples = mark_examples(examples)
  WHERE body || examples::text LIKE '%>%';--> statement-breakpoint
UPDATE content_block SET body = mark_prompts(body) WHERE body LIKE '%>%';--> statement-breakpoint
UPDATE content_document d SET document = mark_document(document)
  WHERE kind = 'issue' AND document::text LIKE '%>%'
    AND NOT (published_version IS NULL AND EXISTS (SELECT FROM imported_posts WHERE document_id = d.id));--> statement-breakpoint
UPDATE content_schedule SET document = mark_document(document) WHERE kind = 'issue' AND document::text LIKE '%>%';--> statement-breakpoint
UPDATE content_revision r SET document = mark_document(document)
  WHERE kind = 'issue' AND document::text LIKE '%>%'
    AND NOT EXISTS (
      SELECT FROM content_document d JOIN imported_posts i ON i.document_id = d.id
        WHERE d.kind = 'issue' AND d.id = r.id AND d.published_version IS NULL
    );--> statement-breakpoint
UPDATE mailings SET content = mark_document(content) WHERE content::text LIKE '%>%';--> statement-breakpoint
DROP FUNCTION mark_document(jsonb), mark_examples(jsonb), mark_prompts(text), mark_prompt(text[]);
