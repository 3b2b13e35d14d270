ALTER TABLE "transcriptions" ADD COLUMN "asked_speakers" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "terms" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "spoken_language" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "asked_speakers" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "terms" jsonb;