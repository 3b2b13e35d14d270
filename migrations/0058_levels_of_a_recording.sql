-- The loudest of each of up to 26 equal parts of a list of peaks; null without peaks.
CREATE FUNCTION "levels_of"("peaks" jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  select jsonb_agg(level order by part)
  from (
    select (place - 1) * least(26, jsonb_array_length(peaks)) / jsonb_array_length(peaks) as part,
      max(peak::int) as level
    from jsonb_array_elements_text(peaks) with ordinality as of_it (peak, place)
    group by 1
  ) as parts
$$;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "levels" jsonb GENERATED ALWAYS AS (levels_of(peaks)) STORED;
