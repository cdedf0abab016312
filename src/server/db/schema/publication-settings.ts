import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Settings that the publisher changes at runtime, by name: `sending`, `trust-pages`. */
export const publicationSettings = pgTable('publication_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})
