CREATE TABLE "search_vocabulary" (
	"word" text PRIMARY KEY NOT NULL,
	"lexeme" text NOT NULL,
	"items" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "parent_title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "headings" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "summary" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "body" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "focus_areas" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "level" text;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "verticals" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "search" "tsvector" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "body_weight" real DEFAULT 0.1 NOT NULL;--> statement-breakpoint
ALTER TABLE "guide_file" ADD COLUMN "text" text;--> statement-breakpoint
CREATE INDEX "search_vocabulary_lexeme_idx" ON "search_vocabulary" USING btree ("lexeme");--> statement-breakpoint
CREATE INDEX "search_vocabulary_word_trgm_idx" ON "search_vocabulary" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "search_vocabulary_word_prefix_idx" ON "search_vocabulary" USING btree ("word" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "content_items_search_idx" ON "content_items" USING gin ("search");--> statement-breakpoint
CREATE INDEX "content_items_kind_day_idx" ON "content_items" USING btree ("kind","day" DESC NULLS LAST,"id");--> statement-breakpoint
-- Ranking reads `search` of many rows: keep it in the row, uncompressed.
ALTER TABLE "content_items" SET (toast_tuple_target = 8160);
