CREATE TABLE "renders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	"format" text NOT NULL,
	"times" jsonb NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" text DEFAULT 'making' NOT NULL,
	"begun_at" timestamp (3) with time zone,
	"progress" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"storage_key" uuid,
	"size_bytes" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"watched_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"kept_until" timestamp (3) with time zone,
	CONSTRAINT "renders_status" CHECK ("renders"."status" in ('making', 'made', 'failed', 'removed')),
	CONSTRAINT "renders_finished" CHECK (("renders"."status" = 'making') = ("renders"."finished_at" is null))
);
--> statement-breakpoint
ALTER TABLE "renders" ADD CONSTRAINT "renders_of_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "renders" ADD CONSTRAINT "renders_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "renders_by_transcription" ON "renders" USING btree ("transcription_id","created_at");--> statement-breakpoint
CREATE INDEX "renders_by_user" ON "renders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "renders_by_file" ON "renders" USING btree ("storage_key") WHERE "renders"."storage_key" is not null;--> statement-breakpoint
CREATE INDEX "renders_unfinished" ON "renders" USING btree ("created_at") WHERE "renders"."status" = 'making';