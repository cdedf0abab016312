ALTER TABLE "imported_posts" ADD COLUMN "slug" text;--> statement-breakpoint
CREATE INDEX "imported_posts_slug_idx" ON "imported_posts" USING btree ("slug");