import type { Subscription } from '#shared/contracts/billing/subscription.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { type Actor, changeSubscription, idempotencyKeyFor } from './change-subscription.ts'

/**
 * Charges the card on file for each open invoice of the subscription, oldest first, and stops at the first decline.
 * Stripe pays an invoice once, so this can't charge twice even if Stripe retries at the same time.
 */
export const payOpenInvoices = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  changeSubscription(deps, who, 'pay-open-invoices', async (current) => {
    const open = await deps.stripe.invoices.list({ subscription: current.subscription.id, status: 'open', limit: 100 })
    for (const { id } of open.data.toReversed()) {
      if (id) await deps.stripe.invoices.pay(id, {}, idempotencyKeyFor(`pay:${id}`, current, requestId))
    }
  })
