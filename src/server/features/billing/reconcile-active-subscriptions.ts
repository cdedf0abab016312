import { and, inArray, lt } from 'drizzle-orm'
import type Stripe from 'stripe'
import { billingCustomer, subscriptionState } from '#server/db/schema/index.ts'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { isLive } from './choose-subscription.ts'
import { customerSyncBatch } from './customer-sync-batch.ts'
import { isPlanSubscription } from './plan-subscriptions.ts'
import { listExpand, stateOf } from './read-customer-state.ts'
import { describeFailure } from './stripe-errors.ts'
import { matchesState, nextSyncSeq, type SubscriptionRow } from './subscription-row.ts'

export const subscriptionsPerPage = 100

export type RowCounts = { rows: number; changed: number; failed: number }

/**
 * Looks at everybody through Stripe's list of what has not ended, a hundred subscriptions a call. A row that says the
 * same counts as looked at; of whom the list says anything else gets a look of their own. Who is not in the list is
 * left alone, and so stays due. One page is in memory at a time.
 * @param mostPages the account may hold more than what is ours
 */
export async function reconcileActiveSubscriptions(deps: BillingDeps, mostPages: number): Promise<RowCounts> {
  const { db } = deps.database
  const sum: RowCounts = { rows: 0, changed: 0, failed: 0 }
  let after: string | undefined
  for (let count = 0; count < mostPages; count += 1) {
    // As with every look: the turn is drawn before Stripe is read.
    const turn = { seq: await nextSyncSeq(db, 0), at: deps.clock() }
    const page = await readPage(deps, after)
    if (!page) return { ...sum, failed: sum.failed + 1 }
    const { rows, others } = await noteWhoAgrees(deps, page.data, turn)
    const tally = customerSyncBatch(deps)
    for (const customerId of others) tally.add(customerId)
    const { changed, failed } = await tally.run()
    sum.rows += rows + others.length
    sum.changed += changed
    sum.failed += failed
    after = page.data.at(-1)?.id
    if (!page.has_more || !after) break
  }
  return sum
}

/** Null when Stripe does not answer: what was found so far stays, and tomorrow is another walk. */
async function readPage(deps: BillingDeps, after: string | undefined) {
  try {
    return await deps.stripe.subscriptions.list({
      limit: subscriptionsPerPage,
      expand: listExpand,
      ...(after && { starting_after: after }),
    })
  } catch (error) {
    deps.logger.error(describeFailure(error), 'the list of all subscriptions could not be read to its end')
    return null
  }
}

/** Marks the rows that say what the page says, and names our customers of whom it says something else. */
function noteWhoAgrees(
  deps: BillingDeps,
  page: readonly Stripe.Subscription[],
  turn: { seq: number; at: Date },
): Promise<{ rows: number; others: string[] }> {
  const customers = [...new Set(page.map(({ customer }) => idOf(customer) ?? ''))]
  return deps.database.db.transaction(async (tx) => {
    const mappings = await tx
      .select({ customerId: billingCustomer.stripeCustomerId, userId: billingCustomer.userId })
      .from(billingCustomer)
      .where(inArray(billingCustomer.stripeCustomerId, customers))
    const userOf = new Map(mappings.map(({ customerId, userId }) => [customerId, userId]))
    // Locked, so that what is compared is what is marked.
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
      // Other products of the same Stripe account; unless it was our plan when we looked last.
      if (!isPlanSubscription(deps, subscription) && !isStored) continue
      if (row && saysTheSame(deps, row, subscription)) same.add(userId)
      // Beside a live one, what was never paid or has been given up stands for nobody.
      else if (isLive(subscription) || !row || isStored) others.add(customerId)
    }
    for (const customerId of others) same.delete(userOf.get(customerId) ?? '')
    if (same.size > 0) {
      await tx
        .update(subscriptionState)
        .set({ syncSeq: turn.seq, syncedAt: turn.at })
        .where(and(inArray(subscriptionState.userId, [...same]), lt(subscriptionState.syncSeq, turn.seq)))
    }
    return { rows: same.size, others: [...others] }
  })
}

/** While past due, the end of the grace hangs on an open invoice, which the list does not show. */
const saysTheSame = (deps: BillingDeps, row: SubscriptionRow, subscription: Stripe.Subscription): boolean =>
  subscription.status !== 'past_due' && matchesState(deps, row, stateOf(subscription))
