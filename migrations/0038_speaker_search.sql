-- A speaker's name as it is searched. The sign ? stands for names that have signs only.
CREATE FUNCTION "speaker_key"("name" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  select coalesce(nullif(trim(search_text(name)), ''), '?')
$$;
--> statement-breakpoint
-- The names of a transcription's speakers in their order: |ada lovett||ben okafor|
CREATE FUNCTION "speakers_search"("speakers" jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  select coalesce(string_agg('|' || speaker_key(one.value ->> 'name') || '|', '' order by one.ordinality), '')
  from jsonb_array_elements(case jsonb_typeof(speakers) when 'array' then speakers else '[]' end)
    with ordinality one
  where one.value ->> 'name' is not null
$$;
--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "speaker_search" text GENERATED ALWAYS AS (speakers_search(speakers)) STORED;
