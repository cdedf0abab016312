import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { userPreferences } from '#server/db/schema/index.ts'
import {
  fromStored,
  type Preferences,
  storedPreferencesSchema,
  toStored,
} from '#shared/contracts/reader/preferences.ts'

type Row = Pick<typeof userPreferences.$inferSelect, 'focusAreas' | 'aiLevel' | 'goals' | 'franchiseType'>

/** Parses a row; null for a missing row, or one with unknown options from an imported database. */
export function asPreferences(row: Row | null | undefined): Preferences | null {
  const stored = storedPreferencesSchema.safeParse({
    focus_areas: row?.focusAreas,
    ai_level: row?.aiLevel,
    goals: row?.goals,
    franchise_type: row?.franchiseType,
  })
  return stored.success ? fromStored(stored.data) : null
}

export async function findPreferences(db: Db | Tx, userId: string): Promise<Preferences | null> {
  const [row] = await db.select().from(userPreferences).where(eq(userPreferences.userId, userId))
  return asPreferences(row)
}

/** Returns true if the user has saved preferences, even ones that no longer parse. */
export async function hasAnswered(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: userPreferences.userId })
    .from(userPreferences)
    .where(eq(userPreferences.userId, userId))
  return rows.length > 0
}

export async function storePreferences(db: Db | Tx, userId: string, preferences: Preferences, now: Date) {
  const stored = toStored(preferences)
  const row = {
    focusAreas: stored.focus_areas,
    aiLevel: stored.ai_level,
    goals: stored.goals,
    franchiseType: stored.franchise_type,
    updatedAt: now,
  }
  await db
    .insert(userPreferences)
    .values({ ...row, userId, createdAt: now })
    .onConflictDoUpdate({ target: userPreferences.userId, set: row })
}

/** Returns true once per user, even for concurrent calls. */
export async function claimWelcome(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const claimed = await tx
    .update(userPreferences)
    .set({ welcomedAt: now })
    .where(and(eq(userPreferences.userId, userId), isNull(userPreferences.welcomedAt)))
    .returning({ userId: userPreferences.userId })
  return claimed.length > 0
}

export async function deletePreferences(tx: Tx, userId: string): Promise<void> {
  await tx.delete(userPreferences).where(eq(userPreferences.userId, userId))
}
