CREATE TABLE "batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"confirm_answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "share_openings" (
	"share_id" uuid NOT NULL,
	"day" date NOT NULL,
	"visitor_hash" text NOT NULL,
	CONSTRAINT "share_openings_pkey" PRIMARY KEY("share_id","day","visitor_hash")
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"transcription_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"recording" text NOT NULL,
	"with_summary" boolean NOT NULL,
	"with_names" boolean NOT NULL,
	"password_hash" text,
	"openings" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "shares_recording" CHECK ("shares"."recording" in ('none', 'sound', 'picture'))
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"colour" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transcription_tags" (
	"transcription_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	CONSTRAINT "transcription_tags_pkey" PRIMARY KEY("transcription_id","tag_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "ready_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "words_in_doubt" integer;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "picture" text;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD COLUMN "watched_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "is_sound_of_video" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_openings" ADD CONSTRAINT "share_openings_of_share" FOREIGN KEY ("share_id") REFERENCES "public"."shares"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcription_tags" ADD CONSTRAINT "transcription_tags_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcription_tags" ADD CONSTRAINT "transcription_tags_of_tag" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batches_by_user" ON "batches" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "share_openings_by_day" ON "share_openings" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_one_per_token" ON "shares" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "shares_by_transcription" ON "shares" USING btree ("transcription_id");--> statement-breakpoint
CREATE INDEX "shares_by_user" ON "shares" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_one_per_name" ON "tags" USING btree ("user_id","name_key");--> statement-breakpoint
CREATE INDEX "transcription_tags_by_tag" ON "transcription_tags" USING btree ("tag_id","transcription_id");--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transcriptions_by_batch" ON "transcriptions" USING btree ("batch_id") WHERE "transcriptions"."batch_id" is not null;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_picture" CHECK ("transcriptions"."picture" in ('shown', 'cannot', 'left_out'));