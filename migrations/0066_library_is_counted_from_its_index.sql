DROP INDEX "transcriptions_by_user";--> statement-breakpoint
CREATE INDEX "transcriptions_by_user" ON "transcriptions" USING btree ("user_id","created_at","id","deleted_at","again_of");