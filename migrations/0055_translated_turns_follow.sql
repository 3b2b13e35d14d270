-- A translation goes with its turns to the row that keeps them, so that it ends with that row.
UPDATE "translated_turns" SET "transcription_id" = "turns"."transcription_id"
FROM "turns"
WHERE "turns"."id" = "translated_turns"."turn_id"
  AND "turns"."transcription_id" <> "translated_turns"."transcription_id";
--> statement-breakpoint
DELETE FROM "translated_turns"
WHERE NOT EXISTS (SELECT FROM "turns" WHERE "turns"."id" = "translated_turns"."turn_id");
--> statement-breakpoint
CREATE FUNCTION "translated_turns_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  -- By the primary key: a text has thousands of turns, and each in several languages.
  update "translated_turns" set "transcription_id" = new."transcription_id"
  where "turn_id" = new."id" and "translation_id" in (
    select "id" from "translations"
    where "translations"."transcription_id" in (old."transcription_id", new."transcription_id")
  );
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "turns_take_translations" AFTER UPDATE OF "transcription_id" ON "turns"
FOR EACH ROW WHEN (old."transcription_id" <> new."transcription_id")
EXECUTE FUNCTION "translated_turns_follow"();
--> statement-breakpoint
-- It looked for such turns in all of them, once an hour.
DO $$ begin
  if to_regclass('pgboss.schedule') is not null then
    delete from pgboss.schedule where name = 'tidy-translations';
  end if;
end $$;
