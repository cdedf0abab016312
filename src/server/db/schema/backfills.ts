import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Work on many rows that a migration left to the running servers. The migration inserts the row. */
export const backfills = pgTable('backfills', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** Used by `jobs/backfills.ts`. */
  name: text('name').notNull().unique(),
  /** `open` or `done`. */
  status: text('status').notNull().default('open'),
  /** The last row that was handled; null before the first batch. */
  cursor: text('cursor'),
  handledRows: bigint('handled_rows', { mode: 'number' }).notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When the last batch was stored. */
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
