import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Archives of everything that owners asked for. The file is kept for a day, in parts in the object store. */
export const archives = pgTable(
  'archives',
  {
    id: uuid('id').primaryKey(),
    /** `queued`, `building`, `ready`, `failed` or `deleted`. */
    status: text('status').notNull(),
    /** Steps that are done, of `total`. */
    done: integer('done').notNull().default(0),
    total: integer('total').notNull().default(0),
    /** Used by nodes of earlier versions only, during an update. */
    heartbeatAt: instant('heartbeat_at'),
    parts: integer('parts').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    sha256: text('sha256'),
    /** Files that the object store didn't have. */
    missing: jsonb('missing').$type<string[]>().notNull().default([]),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by'),
    createdById: uuid('created_by_id'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('archives_created_at_idx').on(t.createdAt.desc()),
    // One at a time.
    uniqueIndex('archives_open_key').on(sql`(true)`).where(sql`status in ('queued', 'building')`),
  ],
)
