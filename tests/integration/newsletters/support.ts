import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { newsletter, newsletterSubscription } from '#server/db/schema/index.ts'

const now = new Date('2026-11-21T10:20:30Z')

/** Stores a newsletter without the call. A second one with the same id is ignored. */
export async function addNewsletter(db: Db, values: Partial<typeof newsletter.$inferInsert> = {}): Promise<number> {
  const id = values.id ?? 1
  await db
    .insert(newsletter)
    .values({
      id,
      name: `Recipes ${id}`,
      membersOnly: false,
      subscribesNewMembers: false,
      position: id,
      createdAt: now,
      updatedAt: now,
      ...values,
    })
    .onConflictDoNothing()
  return id
}

export const subscribe = (db: Db, newsletterId: number, userId: string, subscribed = true) =>
  db.insert(newsletterSubscription).values({ newsletterId, userId, subscribed, changedAt: now })

/** True or false as the reader chose; null if they were never subscribed. */
export async function isSubscribed(db: Db, newsletterId: number, userId: string): Promise<boolean | null> {
  const [row] = await db
    .select({ subscribed: newsletterSubscription.subscribed })
    .from(newsletterSubscription)
    .where(and(eq(newsletterSubscription.newsletterId, newsletterId), eq(newsletterSubscription.userId, userId)))
  return row?.subscribed ?? null
}

/** A newsletter as the admin saves it. */
export const toSave = (more: object = {}) => ({
  ...{ id: null, version: 0, name: 'Recipes', description: 'One a month', senderName: '', senderAddress: '' },
  ...{ replyTo: '', membersOnly: false, subscribesNewMembers: false, subscribesExisting: false, ...more },
})
