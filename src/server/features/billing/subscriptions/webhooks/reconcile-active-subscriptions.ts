import { and, inArray, lt } from 'drizzle-orm'
import type Stripe from 'stripe'
import { billingCustomer, subscriptionState } from '#server/db/schema/index.ts'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { isLive } from '../sync/choose-subscription.ts'
import { isPlanSubscription, loadAdoptedPrices } from '../sync/plan-subscriptions.ts'
import { listExpand, stateOf } from '../sync/read-customer-state.ts'
import { matchesState, nextSyncSeq, type SubscriptionRow } from '../sync/subscription-row.ts'
import { customerSyncBatch } from '../sync/sync-customer.ts'

export const subscriptionsPerPage = 100

export type RowCounts = { rows: number; changed: number; failed: number }

/**
 * Compares all rows with Stripe's list of active subscriptions, 100 per call. Matching rows count as synced; customers
 * that differ are synced individually. Customers missing from the list stay due.
 * @param maxPages the Stripe account can hold many subscriptions that aren't ours
 */
export async function reconcileActiveSubscriptions(deps: BillingDeps, maxPages: number): Promise<RowCounts> {
  await loadAdoptedPrices(deps)
  const sum: RowCounts = { rows: 0, changed: 0, failed: 0 }
  let after: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    // The sync number is drawn before Stripe is read.
    const sync = { seq: await nextSyncSeq(deps.database, 0), at: deps.clock() }
    const page = await readPage(deps, after)
    if (!page) return { ...sum, failed: sum.failed + 1 }
    const { rows, others } = await markMatchingRows(deps, page.data, sync)
    const batch = customerSyncBatch(deps)
    for (const customerId of others) batch.add(customerId)
    const { changed, failed } = await batch.run()
    sum.rows += rows + others.length
    sum.changed += changed
    sum.failed += failed
    after = page.data.at(-1)?.id
    if (!page.has_more || !after) break
  }
  return sum
}

/** Null if the call fails. Earlier pages still count, and the next day's run starts over. */
async function readPage(deps: BillingDeps, after: string | undefined) {
  try {
    return await deps.stripe.subscriptions.list({
      limit: subscriptionsPerPage,
      expand: listExpand,
      ...(after && { starting_after: after }),
    })
  } catch (error) {
    deps.logger.error(describeFailure(error), 'listing active subscriptions failed')
    return null
  }
}

/** Marks rows that match the page as synced and returns our customers whose rows differ. */
function markMatchingRows(
  deps: BillingDeps,
  page: readonly Stripe.Subscription[],
  sync: { seq: number; at: Date },
): Promise<{ rows: number; others: string[] }> {
  const customers = [...new Set(page.map(({ customer }) => idOf(customer) ?? ''))]
  return deps.database.db.transaction(async (tx) => {
    const mappings = await tx
      .select({ customerId: billingCustomer.stripeCustomerId, userId: billingCustomer.userId })
      .from(billingCustomer)
      .where(inArray(billingCustomer.stripeCustomerId, customers))
    const userOf = new Map(mappings.map(({ customerId, userId }) => [customerId, userId]))
    // Locked, so that rows don't change between the comparison and the update.
    const stored = await tx
      .select()
      .from(subscriptionState)
      .where(inArray(subscriptionState.userId, [...userOf.values()]))
      .orderBy(subscriptionState.userId)
      .for('update')
    const rowOf = new Map(stored.map((row) => [row.userId, row]))
    const same = new Set<string>()
    const others = new Set<string>()
    for (const subscription of page) {
      const customerId = idOf(subscription.customer) ?? ''
      const userId = userOf.get(customerId)
      if (!userId) continue
      const row = rowOf.get(userId)
      const isStored = row?.stripeSubscriptionId === subscription.id
      // Skip other products, unless the stored row still has it as our plan.
      if (!isPlanSubscription(deps, subscription) && !isStored) continue
      if (row && matchesRow(deps, row, subscription)) same.add(userId)
      // Ignore incomplete and unpaid subscriptions next to the stored one.
      else if (isLive(subscription) || !row || isStored) others.add(customerId)
    }
    for (const customerId of others) same.delete(userOf.get(customerId) ?? '')
    if (same.size > 0) {
      await tx
        .update(subscriptionState)
        .set({ syncSeq: sync.seq, syncedAt: sync.at })
        .where(and(inArray(subscriptionState.userId, [...same]), lt(subscriptionState.syncSeq, sync.seq)))
    }
    return { rows: same.size, others: [...others] }
  })
}

/** Past-due and paused rows never match: their dates depend on invoices, which the list doesn't include. */
const matchesRow = (deps: BillingDeps, row: SubscriptionRow, subscription: Stripe.Subscription): boolean =>
  subscription.status !== 'past_due' &&
  subscription.collection_method !== 'send_invoice' &&
  !subscription.pause_collection &&
  matchesState(deps, row, stateOf(subscription))
