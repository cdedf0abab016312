import { and, eq, gt, isNotNull } from 'drizzle-orm'
import Stripe from 'stripe'
import { purchase } from '#server/db/schema/index.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { isPlanCheckout } from '../sync/plan-subscriptions.ts'
import { settleAll } from '../sync/settle-all.ts'

/** Open checkout sessions for our plans, without those for other products. Empty for a deleted customer. */
export async function listOpenCheckoutSessions(deps: Pick<BillingDeps, 'stripe'>, customer: string) {
  const found: Stripe.Checkout.Session[] = []
  try {
    for await (const session of deps.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
      if (isPlanCheckout(session)) found.push(session)
    }
    return found
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export async function expireCheckoutSessions(
  deps: Pick<BillingDeps, 'stripe'>,
  sessions: readonly Stripe.Checkout.Session[],
) {
  await settleAll(sessions.map(({ id }) => expire(deps, id)))
}

/** So that no one pays for a plan, and once for the same time, on two open pages. */
export async function expireOneTimeCheckouts({ stripe, database, clock }: BillingDeps, userId: string) {
  const isOpen = and(
    eq(purchase.userId, userId),
    eq(purchase.state, 'unpaid'),
    isNotNull(purchase.stripeSessionId),
    gt(purchase.createdAt, new Date(clock().getTime() - dayMs)),
  )
  const rows = await database.db.select({ id: purchase.stripeSessionId }).from(purchase).where(isOpen)
  await settleAll(rows.map(({ id }) => expire({ stripe }, id ?? '')))
}

async function expire(deps: Pick<BillingDeps, 'stripe'>, id: string) {
  try {
    await deps.stripe.checkout.sessions.expire(id)
  } catch (error) {
    // The session was completed or expired meanwhile.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
