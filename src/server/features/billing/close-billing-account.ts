import type Stripe from 'stripe'
import { z } from 'zod'
import type { BillingDeps } from './billing-deps.ts'
import { billsOtherProducts, hasEnded, isPlanCheckout, isPlanSubscription, planItemOf } from './plan-subscriptions.ts'
import { syncRevenueRecords } from './revenue/sync-revenue-records.ts'
import { isMissing } from './stripe-errors.ts'
import { hasStartedTrial } from './trial-card-usage.ts'
import { recordTrialHash } from './trial-usage.ts'

/** What an enqueue needs to know of the job; it is asked for in the transaction that deletes the account. */
export const closeBillingAccountJob = {
  name: 'close-billing-account',
  payload: z.object({
    customerId: z.string().min(1).max(255),
    /** What to keep of the address if Stripe knows of a trial. */
    ifTrial: z.string().optional(),
  }),
}

/**
 * Ends every plan that a deleted user could still be charged for, then the customer itself with its address and cards;
 * invoices stay, as bookkeeping asks, there and in our books, which learn of the end here, since it is the last that we
 * are told of this customer. A customer who also subscribes to other products stays, as Stripe would cancel those with
 * it. Each step may be repeated, so the job runs until Stripe has taken all of them.
 */
export async function closeBillingAccount(
  deps: BillingDeps,
  { customerId, ifTrial }: z.infer<typeof closeBillingAccountJob.payload>,
): Promise<void> {
  const open = deps.stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 100 })
  for (const session of await allOf(open)) {
    if (isPlanCheckout(session)) await unlessMissing(deps.stripe.checkout.sessions.expire(session.id))
  }
  const subscriptions = await allOf(deps.stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
  const ours = subscriptions.filter((one) => isPlanSubscription(deps, one))
  if (ifTrial && ours.some(hasStartedTrial)) await recordTrialHash(deps.database.db, ifTrial)
  for (const one of ours) if (!hasEnded(one)) await endPlan(deps, one)
  await syncRevenueRecords(deps, customerId, { leaving: true })
  if (subscriptions.some((one) => !hasEnded(one) && billsOtherProducts(deps, one))) {
    await unlessMissing(deps.stripe.customers.update(customerId, { metadata: { user_id: '' } }))
  } else await unlessMissing(deps.stripe.customers.del(customerId))
}

/** Takes our plan out of a subscription that bills other products too, and cancels one that does not. */
async function endPlan(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  const item = planItemOf(deps, subscription)
  if (!item || !billsOtherProducts(deps, subscription)) {
    await unlessMissing(deps.stripe.subscriptions.cancel(subscription.id, { prorate: false, invoice_now: false }))
    return
  }
  const items = [{ id: item.id, deleted: true }]
  await unlessMissing(deps.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }))
}

/** All pages; nothing for a customer that Stripe no longer has. */
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
