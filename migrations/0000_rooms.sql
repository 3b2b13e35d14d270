CREATE TABLE "attempts" (
	"key" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "email_links_kind" CHECK ("email_links"."kind" in ('verify', 'reset'))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_kind" CHECK ("sessions"."kind" in ('web', 'token'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"profile_image_url" text,
	"password_hash" text,
	"email_verified_at" timestamp (3) with time zone,
	"plan_type" text DEFAULT 'starter' NOT NULL,
	"subscription_status" text DEFAULT 'none' NOT NULL,
	"provider" text DEFAULT 'email' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_plan_type" CHECK ("users"."plan_type" in ('starter', 'professional', 'enterprise')),
	CONSTRAINT "users_provider" CHECK ("users"."provider" in ('email', 'google'))
);
--> statement-breakpoint
CREATE TABLE "credit_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"available" integer DEFAULT 0 NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	"last_hash" text DEFAULT '' NOT NULL,
	CONSTRAINT "credit_accounts_never_negative" CHECK ("credit_accounts"."available" >= 0 and "credit_accounts"."held" >= 0)
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "credit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"credits" integer NOT NULL,
	"available_after" integer NOT NULL,
	"held_after" integer NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credit_entries_once_per_cause" UNIQUE("cause","kind"),
	CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'charge', 'release', 'reversal')),
	CONSTRAINT "credit_entries_positive" CHECK ("credit_entries"."credits" > 0),
	CONSTRAINT "credit_entries_never_negative" CHECK ("credit_entries"."available_after" >= 0 and "credit_entries"."held_after" >= 0)
);
--> statement-breakpoint
CREATE TABLE "transcription_stages" (
	"transcription_id" uuid NOT NULL,
	"name" text NOT NULL,
	"result" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transcription_stages_pkey" PRIMARY KEY("transcription_id","name")
);
--> statement-breakpoint
CREATE TABLE "transcriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text DEFAULT 'uploading' NOT NULL,
	"original_name" text NOT NULL,
	"storage_key" uuid,
	"size_bytes" bigint NOT NULL,
	"duration_ms" integer NOT NULL,
	"summary_language" text NOT NULL,
	"with_document" boolean DEFAULT false NOT NULL,
	"credits_required" integer NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease" uuid,
	"confirm_answer" jsonb,
	"transcription_text" text,
	"language" text,
	"word_count" integer,
	"speaker_count" integer,
	"engine" text,
	"summary" text,
	"summary_note" text,
	"key_points" jsonb,
	"topics" jsonb,
	"error_message" text,
	"credits_returned" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "transcriptions_priced" CHECK ("transcriptions"."credits_required" > 0),
	CONSTRAINT "transcriptions_finished" CHECK (("transcriptions"."status" in ('completed', 'error')) = ("transcriptions"."finished_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"transcription_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"speaker" integer,
	"start_ms" integer NOT NULL,
	"end_ms" integer NOT NULL,
	"text" text NOT NULL,
	"words" jsonb NOT NULL,
	CONSTRAINT "turns_pkey" PRIMARY KEY("transcription_id","position")
);
--> statement-breakpoint
ALTER TABLE "email_links" ADD CONSTRAINT "email_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcription_stages" ADD CONSTRAINT "transcription_stages_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transcriptions" ADD CONSTRAINT "transcriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_of_transcription" FOREIGN KEY ("transcription_id") REFERENCES "public"."transcriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attempts_by_key" ON "attempts" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "email_links_by_user" ON "email_links" USING btree ("user_id","kind");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_one_per_token" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_one_per_address" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "credit_entries_by_user" ON "credit_entries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "transcriptions_by_user" ON "transcriptions" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transcriptions_unfinished" ON "transcriptions" USING btree ("status","created_at") WHERE "transcriptions"."status" not in ('completed', 'error');