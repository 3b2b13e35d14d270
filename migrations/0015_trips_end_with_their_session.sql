ALTER TABLE "google_trips" DROP CONSTRAINT "google_trips_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "google_trips" ADD COLUMN "session_id" uuid;--> statement-breakpoint
ALTER TABLE "google_trips" ADD CONSTRAINT "google_trips_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "google_trips" DROP COLUMN "user_id";