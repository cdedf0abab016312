import type Stripe from 'stripe'
import { z } from 'zod'
import type { BillingDeps } from '../billing-deps.ts'
import { recordTrialHash } from '../checkout/trial-usage.ts'
import { hasStartedTrial } from '../checkout/trial-usage-of-cards.ts'
import { syncRevenueRecords } from '../revenue/write-revenue-records.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import {
  billsOtherProducts,
  hasEnded,
  isPlanCheckout,
  isPlanSubscription,
  loadAdoptedPrices,
  planItemOf,
} from '../sync/plan-subscriptions.ts'

/** Enqueued in the transaction that deletes the account. */
export const closeBillingAccountJob = {
  name: 'close-billing-account',
  payload: z.object({
    customerId: z.string().min(1).max(255),
    /** Email hash to record if the customer had a trial. */
    ifTrial: z.string().optional(),
  }),
}

/**
 * Cancels a deleted user's plans, records the final revenue and deletes the Stripe customer. A customer with other
 * products is kept, since deletion would cancel those too. Stripe keeps the invoices. Idempotent, so the job can retry.
 */
export async function closeBillingAccount(
  deps: BillingDeps,
  { customerId, ifTrial }: z.infer<typeof closeBillingAccountJob.payload>,
): Promise<void> {
  await loadAdoptedPrices(deps)
  const open = deps.stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  for (const session of await allOf(open)) {
    if (isPlanCheckout(session)) await unlessMissing(deps.stripe.checkout.sessions.expire(session.id))
  }
  const subscriptions = await allOf(deps.stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
  const ours = subscriptions.filter((one) => isPlanSubscription(deps, one))
  if (ifTrial && ours.some(hasStartedTrial)) await recordTrialHash(deps.database.db, ifTrial)
  for (const one of ours) if (!hasEnded(one)) await endPlan(deps, one)
  await syncRevenueRecords(deps, customerId, { isClosing: true })
  if (subscriptions.some((one) => !hasEnded(one) && billsOtherProducts(deps, one))) {
    await unlessMissing(deps.stripe.customers.update(customerId, { metadata: { user_id: '' } }))
  } else await unlessMissing(deps.stripe.customers.del(customerId))
}

/** Cancels the subscription, or only removes our plan's item if it bills other products too. */
async function endPlan(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  const item = planItemOf(deps, subscription)
  if (!item || !billsOtherProducts(deps, subscription)) {
    await unlessMissing(deps.stripe.subscriptions.cancel(subscription.id, { prorate: false, invoice_now: false }))
    return
  }
  const items = [{ id: item.id, deleted: true }]
  await unlessMissing(deps.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }))
}

/** All pages, or an empty list if the customer was deleted at Stripe. */
async function allOf<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  const read = async () => {
    for await (const one of pages) found.push(one)
  }
  await unlessMissing(read())
  return found
}

async function unlessMissing(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
