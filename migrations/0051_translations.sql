CREATE TABLE "translated_turns" (
	"translation_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	"turn_id" uuid NOT NULL,
	"source_hash" text NOT NULL,
	"parts" jsonb,
	"is_delivered" boolean DEFAULT false NOT NULL,
	CONSTRAINT "translated_turns_pkey" PRIMARY KEY("translation_id","turn_id")
);
--> statement-breakpoint
CREATE TABLE "translations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid,
	"language" text NOT NULL,
	"status" text DEFAULT 'translating' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"is_paid" boolean DEFAULT true NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"is_credit_returned" boolean DEFAULT false NOT NULL,
	"again_count" integer DEFAULT 0 NOT NULL,
	"again_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "translations_status" CHECK ("translations"."status" in ('translating', 'translated', 'error')),
	CONSTRAINT "translations_finished" CHECK (("translations"."status" = 'translating') = ("translations"."finished_at" is null))
);
--> statement-breakpoint
ALTER TABLE "translated_turns" ADD CONSTRAINT "translated_turns_of_translation" FOREIGN KEY ("translation_id") REFERENCES "public"."translations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translated_turns" ADD CONSTRAINT "translated_turns_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translations" ADD CONSTRAINT "translations_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "translated_turns_by_transcription" ON "translated_turns" USING btree ("transcription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "translations_one_per_language" ON "translations" USING btree ("transcription_id","language");--> statement-breakpoint
CREATE INDEX "translations_by_user" ON "translations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "translations_unfinished" ON "translations" USING btree ("created_at") WHERE "translations"."status" = 'translating' or "translations"."transcription_id" is null;