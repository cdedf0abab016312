import Stripe from 'stripe'
import type { BillingDeps } from './billing-deps.ts'

export async function listOpenSessions(deps: Pick<BillingDeps, 'stripe'>, customer: string) {
  const found: Stripe.Checkout.Session[] = []
  for await (const session of deps.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })) {
    found.push(session)
  }
  return found
}

export async function expireAll(deps: Pick<BillingDeps, 'stripe'>, sessions: readonly Stripe.Checkout.Session[]) {
  for (const { id } of sessions) {
    try {
      await deps.stripe.checkout.sessions.expire(id)
    } catch (error) {
      // Paid or expired in the meantime: there is nothing left to close.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    }
  }
}
