CREATE TABLE "checked_texts" (
	"transcription_id" uuid NOT NULL,
	"words" integer NOT NULL,
	"corrected" integer NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checked_texts_pkey" PRIMARY KEY("transcription_id")
);
--> statement-breakpoint
ALTER TABLE "checked_texts" ADD CONSTRAINT "checked_texts_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;