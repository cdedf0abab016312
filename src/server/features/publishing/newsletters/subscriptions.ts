import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { newsletter, newsletterSubscription } from '#server/db/schema/index.ts'
import type { NewsletterChoices, ReaderNewsletter } from '#shared/contracts/publishing/email-preferences.ts'
import { AppError } from '#shared/errors.ts'

/** `wasAsked` is true if the reader is or was subscribed, and `changedAt` says since when. */
type Subscription = ReaderNewsletter & { isRetired: boolean; wasAsked: boolean; changedAt: Date | null }

/** All newsletters, in the publisher's order, with the reader's choice. */
export async function readSubscriptions(db: Db | Tx, userId: string): Promise<Subscription[]> {
  const rows = await db
    .select({
      row: newsletter,
      subscribed: newsletterSubscription.subscribed,
      changedAt: newsletterSubscription.changedAt,
    })
    .from(newsletter)
    .leftJoin(
      newsletterSubscription,
      and(eq(newsletterSubscription.newsletterId, newsletter.id), eq(newsletterSubscription.userId, userId)),
    )
    .orderBy(asc(newsletter.position), asc(newsletter.id))
  return rows.map(({ row: { id, name, description, membersOnly, retiredAt }, subscribed, changedAt }) => ({
    id,
    name,
    description,
    membersOnly,
    subscribed: subscribed ?? false,
    isRetired: retiredAt !== null,
    wasAsked: subscribed !== null,
    // An import without a date stores 1970.
    changedAt: changedAt?.getTime() ? changedAt : null,
  }))
}

/**
 * Saves choices of a reader, whose account the caller has locked. With `onlyKnown`, newsletters that the reader never got
 * can't be turned on.
 * @returns the ids that were turned on and off
 * @throws AppError validation_failed for turning on one that is retired, unknown or not allowed
 */
export async function saveSubscriptions(
  tx: Tx,
  userId: string,
  choices: NewsletterChoices,
  { now, onlyKnown }: { now: Date; onlyKnown: boolean },
): Promise<{ on: number[]; off: number[] }> {
  if (choices.length === 0) return { on: [], off: [] }
  const before = await readSubscriptions(tx, userId)
  const changed = new Map(
    choices
      .filter(({ id, subscribed }) => (before.find((each) => each.id === id)?.subscribed ?? false) !== subscribed)
      .map(({ id, subscribed }) => [id, subscribed]),
  )
  const on = [...changed].flatMap(([id, subscribed]) => (subscribed ? [id] : []))
  const off = [...changed].flatMap(([id, subscribed]) => (subscribed ? [] : [id]))
  for (const id of on) {
    requireOffered(
      before.find((each) => each.id === id),
      onlyKnown,
    )
  }
  const values = [...changed].map(([newsletterId, subscribed]) => ({
    newsletterId,
    userId,
    subscribed,
    changedAt: now,
  }))
  if (values.length > 0) {
    await tx
      .insert(newsletterSubscription)
      .values(values)
      .onConflictDoUpdate({
        target: [newsletterSubscription.newsletterId, newsletterSubscription.userId],
        set: { subscribed: sql`excluded.subscribed`, changedAt: now },
      })
  }
  return { on, off }
}

function requireOffered(subscription: Subscription | undefined, onlyKnown: boolean): void {
  if (!subscription) throw refuse('This newsletter no longer exists. Reload the page.')
  if (subscription.isRetired) throw refuse(`“${subscription.name}” isn’t sent anymore.`)
  if (onlyKnown && !subscription.wasAsked) {
    throw refuse(`Sign in to subscribe to “${subscription.name}”.`)
  }
}

const refuse = (message: string) => new AppError('validation_failed', { message })

/** Turns off these newsletters for readers who have them, such as after an import says that they unsubscribed. */
export async function unsubscribeFromNewsletters(tx: Tx, userIds: readonly string[], now: Date): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .update(newsletterSubscription)
    .set({ subscribed: false, changedAt: now })
    .where(and(inArray(newsletterSubscription.userId, [...userIds]), newsletterSubscription.subscribed))
}
