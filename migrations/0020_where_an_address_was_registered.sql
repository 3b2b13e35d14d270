ALTER TABLE "users" ADD COLUMN "browser_hash" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "next" text;