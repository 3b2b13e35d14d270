CREATE TABLE "summary_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"transcription_id" uuid NOT NULL,
	"language" text NOT NULL,
	"length" text NOT NULL,
	"outcome" text,
	"before" jsonb,
	"text_since" integer NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "summary_orders_length" CHECK ("summary_orders"."length" in ('short', 'medium', 'long')),
	CONSTRAINT "summary_orders_outcome" CHECK ("summary_orders"."outcome" in ('written', 'not_better', 'given_up'))
);
--> statement-breakpoint
ALTER TABLE "summary_orders" ADD CONSTRAINT "summary_orders_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "summary_orders_by_transcription" ON "summary_orders" USING btree ("transcription_id","asked_at");