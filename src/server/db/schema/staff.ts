import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { userId, users } from './auth-users.ts'
import { instant } from './columns.ts'

/** Staff whose access is suspended, with the role that they get back. `user_roles` contains only roles in effect. */
export const suspendedStaff = pgTable('suspended_staff', {
  userId: userId().primaryKey(),
  /** As in `user_roles`. */
  role: text('role').notNull(),
  suspendedAt: instant('suspended_at').notNull(),
})

/** Open invitations to the staff, one per address. Inviting again replaces the link. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: uuid('id').primaryKey(),
    /** Lower case, like account addresses. */
    email: text('email').notNull(),
    /** As in `user_roles`. */
    role: text('role').notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedById: uuid('invited_by_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('staff_invitations_email_key').on(t.email),
    uniqueIndex('staff_invitations_token_hash_key').on(t.tokenHash),
  ],
)
