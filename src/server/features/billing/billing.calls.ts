import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/functions.ts'
import { completeCheckoutCall, createCheckoutCall, customerPortalCall } from '#shared/contracts/checkout.ts'
import { plansCall } from '#shared/contracts/plans.ts'
import { checkSubscriptionCall } from '#shared/contracts/subscription.ts'
import { createCheckSubscription } from './check-subscription.ts'
import { completeCheckout } from './complete-checkout.ts'
import { listPlans } from './plan-ids.ts'
import { openCustomerPortal } from './portal.ts'
import { startCheckout } from './start-checkout.ts'

/** The calls of buying, reading and managing a subscription. */
export function billingCalls(deps: Deps): Implementation[] {
  const checkSubscription = createCheckSubscription(deps)
  return [
    implement(plansCall, async () => ({ plans: listPlans(deps.config) })),
    implement(checkSubscriptionCall, (input, who) => checkSubscription(who, input)),
    implement(createCheckoutCall, ({ priceId }, who) => startCheckout(deps, who, priceId)),
    implement(completeCheckoutCall, ({ sessionId }, who) => completeCheckout(deps, who.userId, sessionId)),
    implement(customerPortalCall, (_input, who) => openCustomerPortal(deps, who.userId)),
  ]
}
