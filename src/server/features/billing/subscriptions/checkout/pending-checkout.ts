import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db } from '#server/db/database.ts'
import { pendingCheckout } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { interactiveRequest } from '../stripe/stripe-overview.ts'

export type PendingCheckout = typeof pendingCheckout.$inferSelect

/**
 * Idempotency keys and checkout sessions last 24 hours. A nonce is reused only while it is clearly younger; after that,
 * the key could return an expired session.
 */
const nonceTtlMs = 23 * 60 * 60 * 1000

export async function findPendingCheckout(db: Db, userId: string): Promise<PendingCheckout | null> {
  const [row] = await db.select().from(pendingCheckout).where(eq(pendingCheckout.userId, userId))
  return row ?? null
}

/** Reuse the nonce only if the outcome of the last attempt is unknown. */
const canReuse = (pending: PendingCheckout, priceId: string, now: Date) =>
  pending.priceId === priceId && pending.sessionId === null && now.getTime() - pending.createdAt.getTime() < nonceTtlMs

/** Stores the nonce before the call to Stripe, so that a retry after a crash repeats the same idempotent call. */
export async function createPendingCheckout(
  deps: BillingDeps,
  userId: string,
  priceId: string,
  options: { fresh?: boolean } = {},
): Promise<PendingCheckout> {
  const { db } = deps.database
  const now = deps.clock()
  const known = await findPendingCheckout(db, userId)
  if (known && !options.fresh && canReuse(known, priceId, now)) return known
  const started = { userId, priceId, sessionId: null, nonce: randomUUID(), createdAt: now }
  await db.insert(pendingCheckout).values(started).onConflictDoUpdate({ target: pendingCheckout.userId, set: started })
  return started
}

export async function storeSessionId(db: Db, pending: PendingCheckout, sessionId: string): Promise<void> {
  await db
    .update(pendingCheckout)
    .set({ sessionId })
    .where(and(eq(pendingCheckout.userId, pending.userId), eq(pendingCheckout.nonce, pending.nonce)))
}

/** Deletes the checkout unless a newer one has replaced it. */
export async function deletePendingCheckout(db: Db, { userId, nonce }: PendingCheckout): Promise<void> {
  await db.delete(pendingCheckout).where(and(eq(pendingCheckout.userId, userId), eq(pendingCheckout.nonce, nonce)))
}

/** Deletes a checkout that can no longer be paid. While one is pending, each subscription check syncs with Stripe. */
export async function settlePendingCheckout(deps: BillingDeps, userId: string): Promise<void> {
  const pending = await findPendingCheckout(deps.database.db, userId)
  if (!pending) return
  const isExpired = deps.clock().getTime() - pending.createdAt.getTime() > nonceTtlMs
  const isOver = pending.sessionId ? !(await isOpen(deps, pending.sessionId)) : isExpired
  if (isOver) await deletePendingCheckout(deps.database.db, pending)
}

async function isOpen(deps: BillingDeps, sessionId: string): Promise<boolean> {
  const session = await findCheckoutSession(deps, sessionId, interactiveRequest)
  return session?.status === 'open'
}

/** Null if Stripe doesn't know the id. */
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
