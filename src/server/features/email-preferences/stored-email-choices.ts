import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { counters, emailPreferences, users } from '#server/db/schema/index.ts'
import { dropsChoices, type EmailChoices } from '#shared/contracts/email-preferences.ts'

export type StoredChoices = EmailChoices & { allowsTracking: boolean }

/** Defaults for users without a saved row. */
const defaultChoices: StoredChoices = { drops: 'weekly', news: true, followUps: true, allowsTracking: false }

export async function readChoices(db: Db | Tx, userId: string): Promise<StoredChoices> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId))
  if (!row) return defaultChoices
  const drops = dropsChoices.find((choice) => choice === row.drops) ?? defaultChoices.drops
  return { drops, news: row.news, followUps: row.followUps, allowsTracking: row.allowsTracking }
}

const streamsOf = ({ drops, news, followUps }: StoredChoices) => [drops !== 'off', news, followUps]

/**
 * Saves the given choices and keeps the others, and counts the reader as unsubscribed if that turns a stream off. Returns
 * null if the account no longer exists.
 */
export async function saveChoices(
  tx: Tx,
  userId: string,
  choices: Partial<StoredChoices>,
  now: Date,
): Promise<StoredChoices | null> {
  // Locks the user against a concurrent deletion, which would violate the foreign key, and against a second save.
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  if (!user) return null
  const before = await readChoices(tx, userId)
  const set = { ...choices, updatedAt: now }
  await tx
    .insert(emailPreferences)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: emailPreferences.userId, set })
  const after = await readChoices(tx, userId)
  if (streamsOf(before).some((isOn, index) => isOn && !streamsOf(after)[index])) await countUnsubscribe(tx, now)
  return after
}

/** For the overview of the admin: by day (UTC). Deleted accounts still count. */
async function countUnsubscribe(tx: Tx, now: Date): Promise<void> {
  const bucket = sql`date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC')`
  await tx
    .insert(counters)
    .values({ name: 'unsubscribes', bucket, value: 1 })
    .onConflictDoUpdate({ target: [counters.name, counters.bucket], set: { value: sql`${counters.value} + 1` } })
}

/** Resets choices to the defaults, but keeps streams that are off, because a reader may have unsubscribed by email link. */
export async function resetEmailChoices(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(emailPreferences)
    .set({
      drops: sql`case when ${emailPreferences.drops} = 'off' then 'off' else ${defaultChoices.drops} end`,
      allowsTracking: defaultChoices.allowsTracking,
    })
    .where(eq(emailPreferences.userId, userId))
}
