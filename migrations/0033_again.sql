CREATE TABLE "carried_over" (
	"transcription_id" uuid NOT NULL,
	"placed" integer NOT NULL,
	"questions" jsonb NOT NULL,
	CONSTRAINT "carried_over_pkey" PRIMARY KEY("transcription_id")
);
--> statement-breakpoint
ALTER TABLE "transcriptions" DROP CONSTRAINT "transcriptions_priced";--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "again_of" uuid;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "again_what" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "kept_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "text_since" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "has_fault" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "carried_over" ADD CONSTRAINT "carried_over_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_again_of_transcriptions_id_fk" FOREIGN KEY ("again_of") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "transcriptions_one_again" ON "transcriptions" USING btree ("again_of") WHERE "transcriptions"."status" not in ('completed', 'error');--> statement-breakpoint
CREATE INDEX "transcriptions_again" ON "transcriptions" USING btree ("again_of") WHERE "transcriptions"."again_of" is not null;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_again" CHECK (("transcriptions"."again_of" is null) = ("transcriptions"."again_what" is null) and ("transcriptions"."again_of" is null or "transcriptions"."storage_key" is null));--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_priced" CHECK ("transcriptions"."credits_required" > 0 or "transcriptions"."is_sample" or "transcriptions"."again_of" is not null);