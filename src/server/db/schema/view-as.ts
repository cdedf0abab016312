import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { userId, users } from './auth-users.ts'
import { instant } from './columns.ts'

/** Staff viewing the portal as a member, read-only and for minutes. Not a session of the account. */
export const viewAsSessions = pgTable(
  'view_as_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The staff member's own session. Viewing ends with it. */
    staffSessionId: uuid('staff_session_id').notNull(),
    /** SHA-256 of the token. */
    tokenHash: text('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Null until its end was recorded. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('view_as_sessions_token_hash_key').on(t.tokenHash),
    // Each staff member views one account at a time.
    uniqueIndex('view_as_sessions_open_key').on(t.staffId).where(sql`ended_at is null`),
    index('view_as_sessions_user_id_created_at_idx').on(t.userId, t.createdAt),
  ],
)
