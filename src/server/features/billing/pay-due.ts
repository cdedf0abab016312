import type { Subscription } from '#shared/contracts/subscription.ts'
import type { BillingDeps } from './billing-deps.ts'
import { type Actor, actOnPlan, onceKey } from './plan-action.ts'

/**
 * Tries the card on file for every unpaid invoice of the subscription, oldest first; the first refusal ends it. Stripe
 * pays an invoice once, so a try beside Stripe's own cannot charge twice.
 */
export const payDue = (deps: BillingDeps, who: Actor, requestId: string): Promise<Subscription> =>
  actOnPlan(deps, who, 'pay-due', async (held) => {
    const open = await deps.stripe.invoices.list({ subscription: held.subscription.id, status: 'open', limit: 100 })
    for (const { id } of open.data.toReversed()) {
      if (id) await deps.stripe.invoices.pay(id, {}, onceKey(`pay:${id}`, held, requestId))
    }
  })
