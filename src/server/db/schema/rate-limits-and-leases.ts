import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Counters of all rate limits and lockouts, shared by all nodes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: bigint('points', { mode: 'number' }).notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('rate_limits_expires_at_idx').on(t.expiresAt)],
)

/** Locks that a node holds across calls to other services. A row past its expiry is free. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  /** Random, so that only the holder renews and releases it. */
  token: bigint('token', { mode: 'number' }).notNull(),
  expiresAt: instant('expires_at').notNull(),
})
