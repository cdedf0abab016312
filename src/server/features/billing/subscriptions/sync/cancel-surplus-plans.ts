import type Stripe from 'stripe'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { refuseSecondTrial } from '../checkout/trial-card-usage.ts'
import { cancelDuplicateSubscription } from './cancel-duplicate-subscription.ts'
import { splitDuplicates } from './choose-subscription.ts'
import { billsOtherProducts, isPlanSubscription } from './plan-subscriptions.ts'

/**
 * Refuses second trials with the same card, and refunds and cancels all live plans of a customer but the oldest. Leaves
 * plans alone that also bill other products. Idempotent.
 * @param listed all subscriptions of the customer
 * @returns whether anything at Stripe changed, so that `listed` is out of date
 */
export async function cancelSurplusPlans(
  deps: BillingDeps,
  customerId: string,
  listed: readonly Stripe.Subscription[],
): Promise<boolean> {
  const plans = listed.filter((one) => isPlanSubscription(deps, one))
  const allowed: Stripe.Subscription[] = []
  for (const plan of plans) {
    if (billsOtherProducts(deps, plan) || !(await refuseSecondTrial(deps, plan))) allowed.push(plan)
  }
  const { kept, duplicates } = splitDuplicates(allowed)
  const surplus = duplicates.filter((one) => !billsOtherProducts(deps, one))
  // A copy of an instance leaves them to the original.
  const toCancel = surplus.length > 0 && (await isOnHold(deps.database.db)) ? [] : surplus
  for (const plan of toCancel) {
    await cancelDuplicateSubscription(deps, plan, kept?.id ?? '')
    const ids = { customerId, kept: kept?.id, canceled: plan.id }
    deps.logger.error(ids, 'customer had two live plans; refunded and canceled the newer one')
  }
  return toCancel.length > 0 || allowed.length < plans.length
}
