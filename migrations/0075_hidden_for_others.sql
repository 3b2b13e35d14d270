CREATE TABLE "veils" (
	"transcription_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"mark" uuid DEFAULT gen_random_uuid() NOT NULL,
	"asked" uuid DEFAULT gen_random_uuid() NOT NULL,
	"mute_with" text NOT NULL,
	"status" text DEFAULT 'making' NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"storage_key" uuid,
	"size_bytes" bigint,
	"media_type" text,
	"times" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"text_revision" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "veils_pkey" PRIMARY KEY("transcription_id"),
	CONSTRAINT "veils_mute_with" CHECK ("veils"."mute_with" in ('tone', 'silence')),
	CONSTRAINT "veils_status" CHECK ("veils"."status" in ('making', 'made', 'gone')),
	CONSTRAINT "veils_made" CHECK ("veils"."status" <> 'made' or ("veils"."storage_key" is not null and "veils"."text_revision" is not null))
);
--> statement-breakpoint
ALTER TABLE "hidings" DROP CONSTRAINT "hidings_forgotten";--> statement-breakpoint
ALTER TABLE "renders" ADD COLUMN "veil" uuid;--> statement-breakpoint
ALTER TABLE "hidings" ADD COLUMN "scope" text DEFAULT 'good' NOT NULL;--> statement-breakpoint
ALTER TABLE "veils" ADD CONSTRAINT "veils_of_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "veils" ADD CONSTRAINT "veils_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "veils_by_user" ON "veils" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "veils_by_file" ON "veils" USING btree ("storage_key") WHERE "veils"."storage_key" is not null;--> statement-breakpoint
ALTER TABLE "hidings" ADD CONSTRAINT "hidings_scope" CHECK ("hidings"."scope" in ('good', 'others')) NOT VALID;--> statement-breakpoint
ALTER TABLE "hidings" ADD CONSTRAINT "hidings_for_others" CHECK ("hidings"."scope" = 'good' or (not ("hidings"."words" is null) and "hidings"."source_key" is null and "hidings"."status" = 'made')) NOT VALID;--> statement-breakpoint
ALTER TABLE "hidings" ADD CONSTRAINT "hidings_forgotten" CHECK ("hidings"."scope" = 'others' or "hidings"."status" = 'making' or ("hidings"."words" is null and "hidings"."source_key" is null)) NOT VALID;