import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/**
 * Dashboard counts, maintained by triggers: all users (`users_total`), sign-ups per hour (`users_by_hour`), live
 * subscriptions (`subscriptions_live`). Counted by the email preferences: readers who turned a stream off per day
 * (`unsubscribes`).
 */
export const counters = pgTable(
  'counters',
  {
    name: text('name').notNull(),
    bucket: instant('bucket').notNull(),
    value: bigint('value', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.name, t.bucket] })],
)
