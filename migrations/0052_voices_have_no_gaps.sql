-- Voices of earlier jobs whose numbers leave one out were listed as if none did: the last of them had
-- no name to give, and one that nobody has was offered. It reads "turns" once and writes only those rows.
UPDATE "transcriptions" SET "speakers" = "heard"."speakers"
FROM (
	SELECT "transcription_id",
		jsonb_agg(jsonb_build_object('speaker', "speaker", 'name', null) ORDER BY "speaker") AS "speakers"
	FROM (SELECT DISTINCT "transcription_id", "speaker" FROM "turns" WHERE "speaker" IS NOT NULL) "voice"
	GROUP BY "transcription_id"
	HAVING max("speaker") >= count(*)
) "heard"
WHERE "heard"."transcription_id" = "transcriptions"."id" AND "transcriptions"."speakers" IS NULL;
