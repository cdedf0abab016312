import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })
const owner = () =>
  uuid('owner_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * Who sits in whose team. The owner has the first seat without a row; the numbers of the others are what keeps a fourth
 * person out, however many join at once. What a seat opens is computed from the owner's subscription, so a row means
 * nothing while that does not run and everything again when it is back.
 */
export const teamSeat = pgTable(
  'team_seat',
  {
    ownerId: owner(),
    seat: smallint('seat').notNull(),
    /** One team for each person. */
    userId: uuid('user_id')
      .notNull()
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: instant('joined_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.seat] }),
    check('team_seat_number', sql`${t.seat} between 2 and 3`),
    check('team_seat_not_the_owner', sql`${t.userId} <> ${t.ownerId}`),
  ],
)

/** One row for each address that an owner has invited; asking again renews it. */
export const teamInvitation = pgTable(
  'team_invitation',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ownerId: owner(),
    /** Lower-cased, as addresses of accounts are. */
    email: text('email').notNull(),
    /** Of the link's token, which is the mailed code under the server's key: the table reveals neither. */
    tokenHash: text('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was used; it works once. */
    acceptedAt: instant('accepted_at'),
  },
  (t) => [
    uniqueIndex('team_invitation_owner_id_email_key').on(t.ownerId, t.email),
    uniqueIndex('team_invitation_token_hash_key').on(t.tokenHash),
    index('team_invitation_email_idx').on(t.email),
  ],
)
