DROP INDEX "transcriptions_by_user";--> statement-breakpoint
DROP INDEX "transcriptions_by_length";--> statement-breakpoint
DROP INDEX "transcriptions_by_name";--> statement-breakpoint
CREATE INDEX "transcriptions_by_user" ON "transcriptions" USING btree ("user_id","created_at","id","deleted_at");--> statement-breakpoint
CREATE INDEX "transcriptions_by_length" ON "transcriptions" USING btree ("user_id","duration_ms","id") WHERE "transcriptions"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "transcriptions_by_name" ON "transcriptions" USING btree ("user_id",lower("original_name"),"id") WHERE "transcriptions"."deleted_at" is null;