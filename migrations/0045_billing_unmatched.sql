CREATE TABLE "billing_unmatched" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"reason" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "billing_payments" DROP CONSTRAINT "billing_payments_amounts";--> statement-breakpoint
ALTER TABLE "billing_payments" ADD COLUMN "number" text;--> statement-breakpoint
ALTER TABLE "billing_payments" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_payments" ADD COLUMN "currency" text DEFAULT 'usd' NOT NULL;--> statement-breakpoint
CREATE INDEX "billing_unmatched_by_day" ON "billing_unmatched" USING btree ("paid_at");--> statement-breakpoint
ALTER TABLE "billing_payments" ADD CONSTRAINT "billing_payments_amounts" CHECK ("billing_payments"."amount_cents" >= 0 and "billing_payments"."tax_cents" between 0 and "billing_payments"."amount_cents" and "billing_payments"."credits" > 0 and "billing_payments"."refunded_cents" >= 0 and "billing_payments"."disputed_cents" >= 0);