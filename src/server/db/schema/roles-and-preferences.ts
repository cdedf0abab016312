import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** `admin` is the only role in use. Written by the seed and the admin commands, never over the API. */
export const userRoles = pgTable('user_roles', { userId: userId(), role: text('role').notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.role] }),
])

export const userPreferences = pgTable('user_preferences', {
  userId: userId().primaryKey(),
  focusAreas: text('focus_areas').array().notNull(),
  aiLevel: text('ai_level').notNull(),
  goals: text('goals').array().notNull(),
  franchiseType: text('franchise_type'),
  /** Set when the welcome email is queued, so that a double click queues it once. */
  welcomedAt: instant('welcomed_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
