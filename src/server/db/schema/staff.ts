import { sql } from 'drizzle-orm'
import { bigserial, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StaffEmailKind } from '#shared/domain/staff-emails.ts'
import { userId, users } from './auth.ts'
import { instant, partOf } from './columns.ts'

/** Staff whose access is suspended, with the role that they get back. `user_roles` contains only roles in effect. */
export const suspendedStaff = pgTable('suspended_staff', {
  userId: userId().primaryKey(),
  /** The role in `user_roles`. */
  role: text('role').notNull(),
  suspendedAt: instant('suspended_at').notNull(),
})

/** An email that someone on the staff turned on. It counts only while their role may see it. */
export const staffEmailChoice = pgTable(
  'staff_email_choice',
  {
    userId: userId(),
    kind: text('kind').$type<StaffEmailKind>().notNull(),
    chosenAt: instant('chosen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] }), index('staff_email_choice_kind_idx').on(t.kind)],
)

/**
 * Events since the last email of their kind. Each is written in the transaction that makes it true, while someone wants
 * the kind, and deleted by the one that enqueues the email.
 */
export const staffEvent = pgTable(
  'staff_event',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    kind: text('kind').$type<StaffEmailKind>().notNull(),
    count: integer('count').notNull(),
  },
  (t) => [index('staff_event_kind_idx').on(t.kind)],
)

/** When the last email of a kind was enqueued. */
export const staffEmailSent = pgTable('staff_email_sent', {
  kind: text('kind').$type<StaffEmailKind>().primaryKey(),
  sentAt: instant('sent_at').notNull(),
})

/** Open invitations to the staff, one per address. Inviting again replaces the link. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: uuid('id').primaryKey(),
    /** Lower case, like account addresses. */
    email: text('email').notNull(),
    /** The role in `user_roles`. */
    role: text('role').notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedById: partOf('invited_by_id', () => users.id),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('staff_invitations_email_key').on(t.email),
    uniqueIndex('staff_invitations_token_hash_key').on(t.tokenHash),
  ],
)

/** Staff viewing the portal as a member, read-only and for minutes. Not a session of the account. */
export const viewAsSessions = pgTable(
  'view_as_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: userId(),
    staffId: partOf('staff_id', () => users.id),
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
