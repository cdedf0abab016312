import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { userId } from './auth-users.ts'
import { instant } from './columns.ts'

/** Staff roles in effect; `admin` is an owner. Clients read their own row, and only staff calls and commands write. */
export const userRoles = pgTable('user_roles', { userId: userId(), role: text('role').notNull() }, (t) => [
  primaryKey({ columns: [t.userId, t.role] }),
  // One role per person: clients read a single row.
  uniqueIndex('user_roles_user_id_key').on(t.userId),
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
