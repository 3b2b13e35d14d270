CREATE TABLE "operator_acts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "operator_acts_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"operator" text NOT NULL,
	"operator_name" text NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"subject" uuid,
	"credits" integer,
	"attempt" integer,
	"before" text,
	CONSTRAINT "operator_acts_kind" CHECK ("operator_acts"."kind" in ('adjust', 'block', 'unblock', 'stop', 'run_again', 'answer', 'invite', 'withdraw'))
);
--> statement-breakpoint
CREATE TABLE "operator_reasons" (
	"act_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_kind";--> statement-breakpoint
ALTER TABLE "credit_entries" DROP CONSTRAINT "credit_entries_positive";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proven_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operator_reasons" ADD CONSTRAINT "operator_reasons_act_id_operator_acts_id_fk" FOREIGN KEY ("act_id") REFERENCES "public"."operator_acts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_reasons" ADD CONSTRAINT "operator_reasons_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_acts_in_order" ON "operator_acts" USING btree ("seq");--> statement-breakpoint
CREATE INDEX "operator_acts_by_user" ON "operator_acts" USING btree ("user_id","seq");--> statement-breakpoint
CREATE INDEX "operator_acts_by_subject" ON "operator_acts" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "operator_reasons_by_user" ON "operator_reasons" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "transcriptions_by_end" ON "transcriptions" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "contact_messages_by_time" ON "contact_messages" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'hold', 'charge', 'release', 'reversal', 'adjustment'));--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_positive" CHECK ("credit_entries"."credits" > 0 or ("credit_entries"."kind" = 'adjustment' and "credit_entries"."credits" < 0));--> statement-breakpoint
-- The log of operators is history: nothing may change or remove it, not even by mistake in a console.
CREATE FUNCTION operator_acts_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_acts is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER operator_acts_append_only BEFORE UPDATE OR DELETE ON operator_acts
  FOR EACH ROW EXECUTE FUNCTION operator_acts_are_append_only();
--> statement-breakpoint
CREATE TRIGGER operator_acts_no_truncate BEFORE TRUNCATE ON operator_acts
  FOR EACH STATEMENT EXECUTE FUNCTION operator_acts_are_append_only();
