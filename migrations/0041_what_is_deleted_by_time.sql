CREATE TABLE "recordings_bin" (
	"storage_key" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"transcription_id" uuid,
	"row" jsonb,
	"created_at" timestamp (3) with time zone,
	"binned_at" timestamp (3) with time zone NOT NULL,
	"taken_back_at" timestamp (3) with time zone,
	CONSTRAINT "recordings_bin_kind" CHECK ("recordings_bin"."kind" in ('recording', 'unconfirmed', 'upload', 'leftover'))
);
--> statement-breakpoint
CREATE INDEX "recordings_bin_by_user" ON "recordings_bin" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recordings_bin_by_transcription" ON "recordings_bin" USING btree ("transcription_id");--> statement-breakpoint
CREATE INDEX "recordings_bin_by_age" ON "recordings_bin" USING btree ("binned_at");--> statement-breakpoint
-- The database's clock as anybody looked at it last: see deletion-clock.ts.
ALTER TABLE "installation" ADD COLUMN "clock_seen_at" timestamp with time zone;
