ALTER TABLE "transcriptions" ADD COLUMN "progress" text;--> statement-breakpoint
-- Room in each page for the next version of a row: without it, one is written to another page, with all its indexes.
ALTER TABLE "transcriptions" SET (fillfactor = 85);