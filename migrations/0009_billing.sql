CREATE TABLE "billing_checkouts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"plan_id" text NOT NULL,
	"is_open" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_credit_alerts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"below" integer NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "billing_credit_alerts_below" CHECK ("billing_credit_alerts"."below" between 1 and 10000)
);
--> statement-breakpoint
CREATE TABLE "billing_customers" (
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"id" text NOT NULL,
	CONSTRAINT "billing_customers_one_per_user" PRIMARY KEY("user_id","provider"),
	CONSTRAINT "billing_customers_provider" CHECK ("billing_customers"."provider" in ('stripe', 'test'))
);
--> statement-breakpoint
CREATE TABLE "billing_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"about" text,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"subscription_id" text NOT NULL,
	"checkout_id" text,
	"plan_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"credits" integer NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL,
	"receipt_url" text,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"disputed_cents" integer DEFAULT 0 NOT NULL,
	"reversed_credits" integer DEFAULT 0 NOT NULL,
	"taken_credits" integer DEFAULT 0 NOT NULL,
	"reversals" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "billing_payments_amounts" CHECK ("billing_payments"."amount_cents" > 0 and "billing_payments"."credits" > 0 and "billing_payments"."refunded_cents" >= 0 and "billing_payments"."disputed_cents" >= 0),
	CONSTRAINT "billing_payments_reversed" CHECK ("billing_payments"."reversed_credits" between 0 and "billing_payments"."credits" and "billing_payments"."taken_credits" between 0 and "billing_payments"."reversed_credits")
);
--> statement-breakpoint
CREATE TABLE "billing_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"next_plan_id" text,
	"status" text NOT NULL,
	"period_ends_at" timestamp (3) with time zone NOT NULL,
	"ends_with_period" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_test_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "billing_test_objects_kind" CHECK ("billing_test_objects"."kind" in ('checkout', 'subscription', 'invoice'))
);
--> statement-breakpoint
ALTER TABLE "billing_checkouts" ADD CONSTRAINT "billing_checkouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_credit_alerts" ADD CONSTRAINT "billing_credit_alerts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_customers" ADD CONSTRAINT "billing_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscriptions" ADD CONSTRAINT "billing_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_checkouts_by_user" ON "billing_checkouts" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_customers_by_id" ON "billing_customers" USING btree ("id");--> statement-breakpoint
CREATE INDEX "billing_payments_by_user" ON "billing_payments" USING btree ("user_id","paid_at");--> statement-breakpoint
CREATE INDEX "billing_payments_by_subscription" ON "billing_payments" USING btree ("subscription_id");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_payments_one_per_checkout" ON "billing_payments" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "billing_subscriptions_by_user" ON "billing_subscriptions" USING btree ("user_id");