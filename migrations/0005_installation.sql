-- Tells this database from every other, so that files of one are never swept by a server on another.
CREATE TABLE "installation" (
  "id" uuid NOT NULL DEFAULT gen_random_uuid(),
  "is_only_row" boolean PRIMARY KEY DEFAULT true,
  CONSTRAINT "installation_one_row" CHECK ("is_only_row")
);
--> statement-breakpoint
INSERT INTO "installation" DEFAULT VALUES;
