import { bigint, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Backups of this instance. Not part of a backup itself. */
export const backups = pgTable(
  'backups',
  {
    id: uuid('id').primaryKey(),
    /** File name at the destination. */
    name: text('name').notNull().unique(),
    /** Folder or s3:// address. */
    destination: text('destination').notNull(),
    /** `schedule`, `admin`, `command`, or `found` for one that was already at the destination. */
    origin: text('origin').notNull(),
    /** `running`, `done` or `failed`. */
    status: text('status').notNull(),
    /** For people, if it failed. */
    error: text('error'),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    bytes: bigint('bytes', { mode: 'number' }),
    /** Rows of all tables. */
    rows: bigint('rows', { mode: 'number' }),
    files: integer('files'),
    /** Files that the database refers to and the file store doesn't have. */
    missingFiles: integer('missing_files'),
    /** The newest drill: when it ended, whether the restored rows were the same, and if not, why. */
    drilledAt: instant('drilled_at'),
    drillPassed: boolean('drill_passed'),
    drillError: text('drill_error'),
    /** When retention deleted the file, or it was found missing. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [index('backups_started_at_idx').on(t.startedAt.desc(), t.id.desc())],
)
