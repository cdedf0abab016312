import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { emailPreferences, users } from '#server/db/schema/index.ts'
import { dropsChoices, type EmailChoices } from '#shared/contracts/email-preferences.ts'

export type StoredChoices = EmailChoices & { allowsTracking: boolean }

/** As it is for everybody who has said nothing. */
const defaultChoices: StoredChoices = { drops: 'weekly', news: true, allowsTracking: false }

export async function readChoices(db: Db | Tx, userId: string): Promise<StoredChoices> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId))
  if (!row) return defaultChoices
  const drops = dropsChoices.find((choice) => choice === row.drops) ?? defaultChoices.drops
  return { drops, news: row.news, allowsTracking: row.allowsTracking }
}

/** Changes what is named and leaves the rest. Says nothing of an account that is not there any more. */
export async function saveChoices(
  tx: Tx,
  userId: string,
  choices: Partial<StoredChoices>,
  now: Date,
): Promise<StoredChoices | null> {
  // Held against a deletion that meets this: a row without its user would be refused by the database.
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share')
  if (!user) return null
  const set = { ...choices, updatedAt: now }
  await tx
    .insert(emailPreferences)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: emailPreferences.userId, set })
  return readChoices(tx, userId)
}

/** Back to the defaults, but nothing is turned on again that was turned off: the mailbox may have done so by a link. */
export async function resetEmailChoices(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(emailPreferences)
    .set({
      drops: sql`case when ${emailPreferences.drops} = 'off' then 'off' else ${defaultChoices.drops} end`,
      allowsTracking: defaultChoices.allowsTracking,
    })
    .where(eq(emailPreferences.userId, userId))
}
