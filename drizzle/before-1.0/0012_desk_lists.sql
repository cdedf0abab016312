DROP INDEX "media_image_created_at_idx";--> statement-breakpoint
CREATE INDEX "suppressions_email_trgm_idx" ON "suppressions" USING gin ("email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "media_image_created_at_idx" ON "media_image" USING btree ("created_at" DESC NULLS LAST,"hash" DESC NULLS LAST);