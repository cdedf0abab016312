import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Settings that the publisher changes at runtime, by name: `sending`, `trust-pages`, and the groups of the site settings. */
export const publicationSettings = pgTable('publication_settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
  /** Incremented by every save of a group of the site settings, which names the version it is based on. */
  version: integer('version').notNull().default(1),
  updatedAt: instant('updated_at').notNull(),
  updatedBy: text('updated_by'),
  updatedById: uuid('updated_by_id'),
})

/** Every saved version of the site settings. */
export const publicationSettingVersions = pgTable(
  'publication_setting_versions',
  {
    name: text('name').notNull(),
    version: integer('version').notNull(),
    value: jsonb('value').notNull(),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
  },
  (t) => [primaryKey({ columns: [t.name, t.version] })],
)
