import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import { readAccessFacts } from '../access/read-access.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { idOf } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { describeSubscription } from '../sync/check-subscription.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { findCheckoutSession } from './pending-checkout.ts'

/**
 * Syncs on the return from checkout, which is often faster than the webhook. The session id grants nothing: with someone
 * else's or an invented id, callers get their own state.
 */
export async function completeCheckout(deps: BillingDeps, userId: string, sessionId: string): Promise<Subscription> {
  const { db } = deps.database
  const customerId = await findCustomerId(db, userId)
  if (customerId && /^cs_\w+$/.test(sessionId)) {
    try {
      const session = await findCheckoutSession(deps, sessionId)
      if (idOf(session?.customer) === customerId) await syncCustomer(deps, customerId)
    } catch (error) {
      deps.logger.warn({ userId, ...describeFailure(error) }, 'sync on return from checkout failed')
    }
  }
  return describeSubscription(deps, await readAccessFacts(db, userId))
}
