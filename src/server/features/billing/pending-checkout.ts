import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db } from '#server/db/database.ts'
import { pendingCheckout } from '#server/db/schema/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { interactiveRequest } from './stripe-client.ts'
import { isMissing } from './stripe-errors.ts'

export type PendingCheckout = typeof pendingCheckout.$inferSelect

/**
 * Idempotency keys live a day, like sessions. A nonce whose session we never learned of is used again only while it is
 * clearly younger, or the key would bring back a session that has expired.
 */
const nonceLivesMs = 23 * 60 * 60 * 1000

export async function findPendingCheckout(db: Db, userId: string): Promise<PendingCheckout | null> {
  const [row] = await db.select().from(pendingCheckout).where(eq(pendingCheckout.userId, userId))
  return row ?? null
}

/** A try whose outcome we do not know may be repeated with its nonce; everything else needs a new one. */
const mayRepeat = (pending: PendingCheckout, priceId: string, now: Date) =>
  pending.priceId === priceId &&
  pending.sessionId === null &&
  now.getTime() - pending.createdAt.getTime() < nonceLivesMs

/** Stores the nonce before Stripe is called, so that a crash or an outage repeats the same call instead of a second one. */
export async function createPendingCheckout(
  deps: BillingDeps,
  userId: string,
  priceId: string,
  options: { fresh?: boolean } = {},
): Promise<PendingCheckout> {
  const { db } = deps.database
  const now = deps.clock()
  const known = await findPendingCheckout(db, userId)
  if (known && !options.fresh && mayRepeat(known, priceId, now)) return known
  const begun = { userId, priceId, sessionId: null, nonce: randomUUID(), createdAt: now }
  await db.insert(pendingCheckout).values(begun).onConflictDoUpdate({ target: pendingCheckout.userId, set: begun })
  return begun
}

export async function storeSessionId(db: Db, pending: PendingCheckout, sessionId: string): Promise<void> {
  await db
    .update(pendingCheckout)
    .set({ sessionId })
    .where(and(eq(pendingCheckout.userId, pending.userId), eq(pendingCheckout.nonce, pending.nonce)))
}

/** Forgets the checkout, unless another one has begun in the meantime. */
export async function deletePendingCheckout(db: Db, { userId, nonce }: PendingCheckout): Promise<void> {
  await db.delete(pendingCheckout).where(and(eq(pendingCheckout.userId, userId), eq(pendingCheckout.nonce, nonce)))
}

/** Forgets a checkout that can no longer end in a purchase: while one is pending, every check looks at Stripe. */
export async function settlePendingCheckout(deps: BillingDeps, userId: string): Promise<void> {
  const pending = await findPendingCheckout(deps.database.db, userId)
  if (!pending) return
  const old = deps.clock().getTime() - pending.createdAt.getTime() > nonceLivesMs
  const over = pending.sessionId ? !(await isOpen(deps, pending.sessionId)) : old
  if (over) await deletePendingCheckout(deps.database.db, pending)
}

async function isOpen(deps: BillingDeps, sessionId: string): Promise<boolean> {
  const session = await findCheckoutSession(deps, sessionId, interactiveRequest)
  return session?.status === 'open'
}

/** Null for an id that Stripe does not know. */
export async function findCheckoutSession(
  deps: BillingDeps,
  sessionId: string,
  options?: Stripe.RequestOptions,
): Promise<Stripe.Checkout.Session | null> {
  try {
    return await deps.stripe.checkout.sessions.retrieve(sessionId, {}, options)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
