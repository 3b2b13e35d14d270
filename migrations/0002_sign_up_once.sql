CREATE TABLE "signup_grants" (
	"mailbox_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attempts" ADD COLUMN "id" uuid NOT NULL;--> statement-breakpoint
CREATE INDEX "attempts_by_id" ON "attempts" USING btree ("id");