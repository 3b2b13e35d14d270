CREATE TABLE "worker_engines" (
	"worker" uuid PRIMARY KEY NOT NULL,
	"says" jsonb NOT NULL,
	"said_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
