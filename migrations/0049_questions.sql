CREATE TABLE "asked_model" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"is_answered" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "question_sources" (
	"question_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	CONSTRAINT "question_sources_pkey" PRIMARY KEY("question_id","transcription_id")
);
--> statement-breakpoint
CREATE TABLE "questions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid,
	"question" text NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "asked_model" ADD CONSTRAINT "asked_model_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_sources" ADD CONSTRAINT "question_sources_of_question" FOREIGN KEY ("question_id") REFERENCES "public"."questions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "question_sources" ADD CONSTRAINT "question_sources_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "questions" ADD CONSTRAINT "questions_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asked_model_by_user" ON "asked_model" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE INDEX "question_sources_by_transcription" ON "question_sources" USING btree ("transcription_id");--> statement-breakpoint
CREATE INDEX "questions_by_user" ON "questions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "questions_by_transcription" ON "questions" USING btree ("transcription_id","created_at");--> statement-breakpoint
-- An answer ends with any recording that it quotes, whoever removes that.
CREATE FUNCTION "end_question_of_source"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  delete from "questions" where "id" = old."question_id";
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "question_sources_end_question" AFTER DELETE ON "question_sources"
FOR EACH ROW EXECUTE FUNCTION "end_question_of_source"();
