CREATE TABLE "hidings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	"words" jsonb,
	"mark" text NOT NULL,
	"mute_with" text NOT NULL,
	"times" jsonb NOT NULL,
	"places" integer NOT NULL,
	"status" text NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"source_key" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "hidings_mark" CHECK ("hidings"."mark" in ('bar', 'name')),
	CONSTRAINT "hidings_mute_with" CHECK ("hidings"."mute_with" in ('tone', 'silence')),
	CONSTRAINT "hidings_status" CHECK ("hidings"."status" in ('making', 'made', 'gone')),
	CONSTRAINT "hidings_finished" CHECK (("hidings"."status" = 'making') = ("hidings"."finished_at" is null)),
	CONSTRAINT "hidings_forgotten" CHECK ("hidings"."status" = 'making' or ("hidings"."words" is null and "hidings"."source_key" is null))
);
--> statement-breakpoint
ALTER TABLE "hidings" ADD CONSTRAINT "hidings_of_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidings" ADD CONSTRAINT "hidings_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hidings_by_transcription" ON "hidings" USING btree ("transcription_id","created_at");--> statement-breakpoint
CREATE INDEX "hidings_by_user" ON "hidings" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hidings_one_at_a_time" ON "hidings" USING btree ("transcription_id") WHERE "hidings"."status" = 'making';--> statement-breakpoint
CREATE INDEX "hidings_by_file" ON "hidings" USING btree ("source_key") WHERE "hidings"."source_key" is not null;