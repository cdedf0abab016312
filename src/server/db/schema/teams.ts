import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth-users.ts'
import { instant } from './columns.ts'

const owner = () =>
  uuid('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * Team members. The owner has seat 1 without a row; unique seat numbers limit the team size under concurrent joins.
 * Access depends on the owner's subscription, so seats are kept while that is inactive.
 */
export const teamSeat = pgTable(
  'team_seat',
  {
    ownerId: owner(),
    seat: smallint('seat').notNull(),
    /** A user can be in only one team. */
    userId: uuid('user_id')
      .notNull()
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: instant('joined_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.seat] }),
    check('team_seat_number', sql`${t.seat} between 2 and 500`),
    check('team_seat_not_the_owner', sql`${t.userId} <> ${t.ownerId}`),
  ],
)

/** One row per owner and invited address. Inviting again renews it. */
export const teamInvitation = pgTable(
  'team_invitation',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ownerId: owner(),
    /** Lower case, like account addresses. */
    email: text('email').notNull(),
    /** Hash of the link's token, which is derived from the emailed code. The table reveals neither. */
    tokenHash: text('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was used. An invitation works once. */
    acceptedAt: instant('accepted_at'),
  },
  (t) => [
    uniqueIndex('team_invitation_owner_id_email_key').on(t.ownerId, t.email),
    uniqueIndex('team_invitation_token_hash_key').on(t.tokenHash),
    index('team_invitation_email_idx').on(t.email),
  ],
)
