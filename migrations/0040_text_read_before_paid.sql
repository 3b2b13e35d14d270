CREATE TABLE "unpaid_texts" (
	"transcription_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"shown_ms" integer NOT NULL,
	"credits" integer NOT NULL,
	"shown_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "unpaid_texts" ADD CONSTRAINT "unpaid_texts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unpaid_texts_by_user" ON "unpaid_texts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "unpaid_texts_by_age" ON "unpaid_texts" USING btree ("shown_at");