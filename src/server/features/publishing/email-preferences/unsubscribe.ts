import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { deliveries, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { knownProductIds, planOfProduct } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { findNewsletter } from '#server/features/publishing/newsletters/read-newsletters.ts'
import { readSubscriptions, saveSubscriptions } from '#server/features/publishing/newsletters/subscriptions.ts'
import type {
  EmailChoices,
  SavedEmailChoices,
  unsubscribePageCall,
} from '#shared/contracts/publishing/email-preferences.ts'
import type { Stream } from '#shared/contracts/publishing/newsletter.ts'
import { entitlement, paidUntil } from '#shared/domain/entitlement.ts'
import { newsletterOfStream } from '#shared/domain/newsletters.ts'
import { planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import { readUnsubscribeToken, type UnsubscribeReference } from './link-tokens.ts'
import { readChoices, saveChoices } from './stored-email-choices.ts'

export type UnsubscribeDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

const none: EmailChoices = { drops: 'off', news: false, followUps: false, assignments: false, replies: 'off' }

/** Choices that a one-click unsubscribe saves, by the email's stream. */
const offOf: Record<Stream, Partial<EmailChoices>> = {
  drops: { drops: 'off' },
  news: { news: false },
  'follow-ups': { followUps: false },
  assignments: { assignments: false },
  replies: { replies: 'off' },
}

const isOff: Record<Stream, (choices: EmailChoices) => boolean> = {
  drops: ({ drops }) => drops === 'off',
  news: ({ news }) => !news,
  'follow-ups': ({ followUps }) => !followUps,
  assignments: ({ assignments }) => !assignments,
  replies: ({ replies }) => replies === 'off',
}

/** Attributes the first unsubscribe to the email that contained the link, for the mailing's report. */
async function markUnsubscribed(tx: Tx, { deliveryId, userId }: UnsubscribeReference, now: Date): Promise<void> {
  if (!deliveryId) return
  await tx
    .update(deliveries)
    .set({ unsubscribedAt: now })
    .where(and(eq(deliveries.id, Number(deliveryId)), eq(deliveries.userId, userId), isNull(deliveries.unsubscribedAt)))
}

/** @throws AppError not_found, for any invalid token */
function openToken({ secrets }: Pick<Deps, 'secrets'>, token: string): UnsubscribeReference {
  const reference = readUnsubscribeToken(secrets, token)
  if (!reference) throw new AppError('not_found')
  return reference
}

/** The newsletter of the email; null for the emails that come with every publication. After a restore it can be unknown. */
async function readOwnNewsletter(db: Db | Tx, stream: UnsubscribeReference['stream']) {
  const id = newsletterOfStream(stream)
  if (id === null) return null
  const found = await findNewsletter(db, id)
  return { name: found?.name ?? 'A newsletter', isRetired: found?.retiredAt !== null }
}

/**
 * One-click unsubscribe: turns off the stream of the email. Idempotent; does nothing for a deleted account.
 * @throws AppError not_found
 */
export async function unsubscribeOneClick(deps: UnsubscribeDeps, token: string): Promise<void> {
  const reference = openToken(deps, token)
  const { userId, stream } = reference
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const newsletterId = newsletterOfStream(stream)
    const isThere = await saveChoices(tx, userId, newsletterId === null ? offOf[stream as Stream] : {}, now)
    if (isThere && newsletterId !== null) {
      await saveSubscriptions(tx, userId, [{ id: newsletterId, subscribed: false }], { now, onlyKnown: true })
    }
    await markUnsubscribed(tx, reference, now)
  })
}

/** @throws AppError not_found */
export async function readUnsubscribePage(
  deps: UnsubscribeDeps,
  token: string,
): Promise<z.input<typeof unsubscribePageCall.output>> {
  const { db } = deps.database
  const reference = openToken(deps, token)
  const { userId, stream } = reference
  const newsletter = await readOwnNewsletter(db, stream)
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (!user) return { stream, newsletter, address: '', choices: none, newsletters: [], plan: null }
  const { allowsTracking: _, ...choices } = await readChoices(db, userId)
  const address = (await addressOf(deps, reference)) ?? user.email ?? ''
  const newsletters = await readKnownNewsletters(db, userId)
  return { stream, newsletter, address: mask(address), choices, newsletters, plan: await runningPlan(deps, userId) }
}

/** Newsletters in use that the reader is or was subscribed to. */
const readKnownNewsletters = async (db: Db | Tx, userId: string) =>
  (await readSubscriptions(db, userId)).filter(({ isRetired, wasAsked }) => wasAsked && !isRetired)

/** @throws AppError not_found, validation_failed */
export async function saveByLink(
  deps: UnsubscribeDeps,
  token: string,
  { newsletters: changes = [], ...wanted }: SavedEmailChoices,
) {
  const reference = openToken(deps, token)
  const { userId, stream } = reference
  const now = deps.clock()
  const saved = await deps.database.db.transaction(async (tx) => {
    const choices = await saveChoices(tx, userId, wanted, now)
    if (!choices) return null
    const { off } = await saveSubscriptions(tx, userId, changes, { now, onlyKnown: true })
    const newsletterId = newsletterOfStream(stream)
    const isOwnOff = newsletterId === null ? isOff[stream as Stream](choices) : off.includes(newsletterId)
    if (isOwnOff) await markUnsubscribed(tx, reference, now)
    return { choices, newsletters: await readKnownNewsletters(tx, userId) }
  })
  if (!saved) return { choices: none, newsletters: [] }
  const { allowsTracking: _, ...choices } = saved.choices
  return { choices, newsletters: saved.newsletters }
}

/** Address the email was sent to, which may differ from the account’s current one. */
async function addressOf({ database }: UnsubscribeDeps, { deliveryId, userId }: UnsubscribeReference) {
  if (!deliveryId) return null
  const [row] = await database.db
    .select({ email: deliveries.email, userId: deliveries.userId })
    .from(deliveries)
    .where(eq(deliveries.id, Number(deliveryId)))
  return row?.userId === userId ? row.email : null
}

/** Masks the address, because the email may have been forwarded. */
function mask(address: string): string {
  const [name = '', domain = ''] = address.split('@')
  return domain ? `${name.slice(0, 1)}•••@${domain}` : ''
}

/** The user’s own active plan. Seats and complimentary access don’t count, because they cost nothing. */
async function runningPlan(deps: UnsubscribeDeps, userId: string) {
  const row = await findSubscriptionRow(deps.database.db, userId)
  const key = planOfProduct(deps.config, row?.productId ?? null)
  if (!row || !key || !entitlement(row, deps.clock(), knownProductIds(deps.config)).entitled) return null
  return {
    name: planOf(deps.config.settings.publication, key).name,
    paidUntil: paidUntil(row)?.toISOString() ?? null,
    ends: row.cancelAt !== null,
  }
}
