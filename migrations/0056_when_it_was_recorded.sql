ALTER TABLE "users" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "recorded_at" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "recorded_at" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_recorded_at" CHECK ("transcriptions"."recorded_at" ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}[+-][0-9:]{5})?$');