ALTER TABLE "operator_acts" DROP CONSTRAINT "operator_acts_kind";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "calls_per_hour" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "unconfirmed_uploads" integer;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD COLUMN "limits" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_calls_per_hour" CHECK ("users"."calls_per_hour" between 1 and 10000);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_unconfirmed_uploads" CHECK ("users"."unconfirmed_uploads" between 1 and 200);--> statement-breakpoint
ALTER TABLE "operator_acts" ADD CONSTRAINT "operator_acts_kind" CHECK ("operator_acts"."kind" in ('adjust', 'block', 'unblock', 'stop', 'run_again', 'answer', 'invite', 'withdraw', 'limits'));