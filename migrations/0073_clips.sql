ALTER TABLE "renders" ADD COLUMN "clip" jsonb;--> statement-breakpoint
ALTER TABLE "renders" ADD COLUMN "text_mark" text;