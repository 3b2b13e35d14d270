ALTER TABLE "sessions" DROP CONSTRAINT "sessions_method";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_provider";--> statement-breakpoint
ALTER TABLE "google_trips" ADD COLUMN "provider" text DEFAULT 'google' NOT NULL;--> statement-breakpoint
ALTER TABLE "identities" ADD COLUMN "provider" text DEFAULT 'google' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_method" CHECK ("sessions"."method" in ('password', 'google', 'oidc'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_provider" CHECK ("users"."provider" in ('email', 'google', 'oidc'));