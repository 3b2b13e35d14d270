ALTER TABLE "transcriptions" DROP CONSTRAINT "transcriptions_priced";--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "recording_deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "is_sample" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_priced" CHECK ("transcriptions"."credits_required" > 0 or "transcriptions"."is_sample");