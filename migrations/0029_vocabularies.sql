CREATE TABLE "vocabularies" (
	"user_id" uuid NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"terms" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"replacements" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "vocabularies_pkey" PRIMARY KEY("user_id")
);
--> statement-breakpoint
ALTER TABLE "vocabularies" ADD CONSTRAINT "vocabularies_of_user" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;