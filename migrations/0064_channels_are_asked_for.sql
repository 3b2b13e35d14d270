ALTER TABLE "uploads" ADD COLUMN "asked_channels" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "asked_channels" text;