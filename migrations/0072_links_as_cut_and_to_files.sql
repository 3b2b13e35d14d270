ALTER TABLE "shares" ADD COLUMN "as_cut" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "render_id" uuid;--> statement-breakpoint
ALTER TABLE "shares" ADD COLUMN "with_captions" boolean DEFAULT false NOT NULL;