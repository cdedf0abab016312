import Stripe from 'stripe'
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

async function expire(deps: Pick<BillingDeps, 'stripe'>, id: string) {
  try {
    await deps.stripe.checkout.sessions.expire(id)
  } catch (error) {
    // The session was completed or expired meanwhile.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
