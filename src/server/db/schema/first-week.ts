import { pgTable } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** A member's first week in the portal. What else they did is in the tables of those features. */
export const firstWeek = pgTable('first_week', {
  userId: userId().primaryKey(),
  /** When they first opened the weekly drops. */
  startedAt: instant('started_at').notNull(),
  /** When they opened the start page. */
  startPageAt: instant('start_page_at'),
  /** When they dismissed the checklist. */
  dismissedAt: instant('dismissed_at'),
})
