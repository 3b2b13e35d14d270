CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	"document_type" text NOT NULL,
	"include_images" boolean NOT NULL,
	"status" text DEFAULT 'generating' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"title" text NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"word_count" integer DEFAULT 0 NOT NULL,
	"language" text,
	"engine" text,
	"note" text,
	"problem" text,
	"is_credit_returned" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "documents_status" CHECK ("documents"."status" in ('generating', 'generated', 'error')),
	CONSTRAINT "documents_finished" CHECK (("documents"."status" = 'generating') = ("documents"."finished_at" is null)),
	CONSTRAINT "documents_have_text" CHECK ("documents"."status" <> 'generated' or "documents"."content" <> '')
);
--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "document_order" jsonb;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "documents_by_transcription" ON "documents" USING btree ("transcription_id","created_at");--> statement-breakpoint
CREATE INDEX "documents_by_user" ON "documents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "documents_unfinished" ON "documents" USING btree ("created_at") WHERE "documents"."status" = 'generating';--> statement-breakpoint
-- The tables of documents may not name those of transcriptions, a later room: said here, so that no document outlives its transcription.
ALTER TABLE "documents" ADD CONSTRAINT "documents_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE no action ON UPDATE no action;
