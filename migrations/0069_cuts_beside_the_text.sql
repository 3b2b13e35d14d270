CREATE TABLE "cut_lists" (
	"transcription_id" uuid NOT NULL,
	"act" integer NOT NULL,
	"times" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cut_lists_pkey" PRIMARY KEY("transcription_id","act"),
	CONSTRAINT "cut_lists_act" CHECK ("cut_lists"."act" > 0)
);
--> statement-breakpoint
ALTER TABLE "cut_lists" ADD CONSTRAINT "cut_lists_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;