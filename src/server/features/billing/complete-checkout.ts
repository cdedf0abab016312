import type { Subscription } from '#shared/contracts/subscription.ts'
import { readAccessFacts } from './access.ts'
import type { BillingDeps } from './billing-deps.ts'
import { idOf } from './billing-deps.ts'
import { describeSubscription } from './check-subscription.ts'
import { findCustomerId } from './customer.ts'
import { findCheckoutSession } from './pending-checkout.ts'
import { describeFailure } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

/**
 * The way back from the checkout page, which is often faster than the webhook. The session id grants nothing: it names
 * what to look at, and whoever brings a foreign or an invented one gets their own state, like anybody.
 */
export async function completeCheckout(deps: BillingDeps, userId: string, sessionId: string): Promise<Subscription> {
  const { db } = deps.database
  const customerId = await findCustomerId(db, userId)
  if (customerId && /^cs_\w+$/.test(sessionId)) {
    try {
      const session = await findCheckoutSession(deps, sessionId)
      if (idOf(session?.customer) === customerId) await syncCustomer(deps, customerId)
    } catch (error) {
      deps.logger.warn({ userId, ...describeFailure(error) }, 'the return from checkout could not look at Stripe')
    }
  }
  return describeSubscription(deps, await readAccessFacts(db, userId))
}
