import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { userPreferences } from '#server/db/schema/index.ts'
import { maxCountedValues } from '#shared/contracts/reader/custom-fields.ts'
import {
  fromStored,
  type Preferences,
  storedPreferencesSchema,
  toStored,
} from '#shared/contracts/reader/preferences.ts'
import { optionKeys, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'

/** Before the key in the tokens of `member_facts`. */
const tokenPrefix: Record<QuestionName, string> = {
  focusAreas: 'area',
  aiLevel: 'level',
  goals: 'goal',
  franchiseType: 'type',
}

const inSections = (condition: SQL) => sql`select 1 from issue_sections s join issues i on i.id = s.issue_id
  where i.published_at is not null and ${condition}`
const inItems = (condition: SQL) => sql`select 1 from content_items c
  where c.kind in ('section', 'prompt') and c.removed_at is null and ${condition}`

const itemsWith: Record<QuestionName, (key: string) => SQL> = {
  focusAreas: (key) => inItems(sql`${key} = any(c.focus_areas)`),
  aiLevel: (key) => inItems(sql`c.level = ${key}`),
  goals: (key) => inSections(sql`${key} = any(s.goals)`),
  franchiseType: (key) => inSections(sql`${key} = any(s.franchise_types)`),
}

/** For each option, members are counted up to a limit, so that a count costs no more than reading so many rows. */
export async function countQuestionUse(db: Db, publication: Questions, question: QuestionName) {
  const options: Record<string, { members: number; items: number }> = {}
  for (const key of optionKeys(publication, question)) {
    const token = `${tokenPrefix[question]}:${key}`
    const [row] = await queryRows<{ members: number; items: number }>(
      db,
      sql`select (select count(*)::int from (select 1 from member_facts f
            where f.tokens && array[${token}::text] limit ${maxCountedValues + 1}) counted) as members,
          (select count(*)::int from (${itemsWith[question](key)}) found) as items`,
    )
    if (row) options[key] = row
  }
  return { options }
}

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
