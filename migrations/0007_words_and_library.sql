-- Text as it is searched: without case, accents, width and punctuation, the same under every locale
-- of the database. Writings without spaces are searched by character.
CREATE FUNCTION "search_text"("said" text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  select regexp_replace(
    regexp_replace(
      lower(normalize(regexp_replace(normalize(said, NFKD), '[\u0300-\u036f]', '', 'g'), NFKC)),
      '[\u0001-/:-@\[-`{-\u00bf\u2000-\u206f\u3000-\u303f\ufe30-\ufe4f]+', ' ', 'g'),
    '([\u0e00-\u0e7f\u2e80-\u2fdf\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
$$;
--> statement-breakpoint
CREATE FUNCTION "searchable"("said" text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  select to_tsvector('simple'::regconfig, search_text(said))
$$;
--> statement-breakpoint
CREATE TABLE "transcription_edits" (
	"transcription_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"undo" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcription_edits_pkey" PRIMARY KEY("transcription_id","revision")
);
--> statement-breakpoint
CREATE TABLE "original_turns" (
	"transcription_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"speaker" integer,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"text" text NOT NULL,
	"words" jsonb NOT NULL,
	"words_from" integer NOT NULL,
	"words_to" integer NOT NULL,
	"position" double precision NOT NULL,
	CONSTRAINT "original_turns_pkey" PRIMARY KEY("transcription_id","position")
);
--> statement-breakpoint
ALTER TABLE "turns" ALTER COLUMN "position" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "media_type" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "peaks" jsonb;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "speakers" jsonb;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "is_edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "original_from" integer;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "original_to" integer;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (searchable(text)) STORED;--> statement-breakpoint
ALTER TABLE "transcription_edits" ADD CONSTRAINT "transcription_edits_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "original_turns" ADD CONSTRAINT "original_turns_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transcriptions_by_length" ON "transcriptions" USING btree ("user_id","duration_ms","id");--> statement-breakpoint
CREATE INDEX "transcriptions_by_name" ON "transcriptions" USING btree ("user_id",lower("original_name"),"id");--> statement-breakpoint
CREATE INDEX "transcriptions_deleted" ON "transcriptions" USING btree ("deleted_at") WHERE "transcriptions"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "turns_by_id" ON "turns" USING btree ("id");--> statement-breakpoint
CREATE INDEX "turns_search" ON "turns" USING gin ("search");--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_deleted_when_finished" CHECK ("transcriptions"."deleted_at" is null or "transcriptions"."finished_at" is not null);--> statement-breakpoint
-- Recordings that are there already: what they are is read off their names, as nobody kept it.
UPDATE "transcriptions" SET "media_type" = CASE lower(substring("original_name" from '\.([^.]+)$'))
  WHEN 'mp3' THEN 'audio/mpeg' WHEN 'mpga' THEN 'audio/mpeg' WHEN 'wav' THEN 'audio/wav' WHEN 'flac' THEN 'audio/flac'
  WHEN 'm4a' THEN 'audio/mp4' WHEN 'mp4' THEN 'video/mp4' WHEN 'mov' THEN 'video/mp4' WHEN 'webm' THEN 'video/webm'
  WHEN 'ogg' THEN 'audio/ogg' WHEN 'oga' THEN 'audio/ogg' WHEN 'opus' THEN 'audio/ogg' END
WHERE "storage_key" IS NOT NULL;
