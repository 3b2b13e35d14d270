INSERT INTO "attempts" ("id", "key", "at") SELECT gen_random_uuid(), 'calls:' || "user_id", "at" FROM "api_calls";--> statement-breakpoint
DROP TABLE "api_calls" CASCADE;
