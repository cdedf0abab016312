import Stripe from 'stripe'
import { allEnded } from './all-ended.ts'
import type { BillingDeps } from './billing-deps.ts'
import { isMissing } from './stripe-errors.ts'

/** None for a customer that Stripe no longer has. */
export async function listOpenSessions(deps: Pick<BillingDeps, 'stripe'>, customer: string) {
  const found: Stripe.Checkout.Session[] = []
  try {
    for await (const session of deps.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
      found.push(session)
    }
    return found
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export async function expireAll(deps: Pick<BillingDeps, 'stripe'>, sessions: readonly Stripe.Checkout.Session[]) {
  await allEnded(sessions.map(({ id }) => expire(deps, id)))
}

async function expire(deps: Pick<BillingDeps, 'stripe'>, id: string) {
  try {
    await deps.stripe.checkout.sessions.expire(id)
  } catch (error) {
    // Paid or expired in the meantime: there is nothing left to close.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
