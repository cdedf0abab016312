import { bigint, index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './auth.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true })
const owner = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** `admin` is the only role that anything checks. Written by the seed or the operator, never over the wire. */
export const userRoles = pgTable('user_roles', { userId: owner(), role: text('role').notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.role] }),
])

export const userPreferences = pgTable('user_preferences', {
  userId: owner().primaryKey(),
  focusAreas: text('focus_areas').array().notNull(),
  aiLevel: text('ai_level').notNull(),
  goals: text('goals').array().notNull(),
  franchiseType: text('franchise_type'),
  /** Claimed by whoever enqueues the welcome mail, so that a second click sends no second one. */
  welcomedAt: instant('welcomed_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/**
 * Figures that must not be counted anew at each look. Triggers keep them: users in all (`users_total`), users by the
 * hour in which they signed up (`users_by_hour`), live subscriptions (`subscriptions_live`).
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

/** Failed attempts and per-address limits, shared by all nodes. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: bigint('points', { mode: 'number' }).notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('rate_limits_expires_at_idx').on(t.expiresAt)],
)
