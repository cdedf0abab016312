import { and, asc, count, eq, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { billingCustomer, pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId } from './customer.ts'
import { customerSyncBatch } from './customer-sync-batch.ts'
import { settlePendingCheckout } from './pending-checkout.ts'
import { type RowCounts, reconcileActiveSubscriptions, subscriptionsPerPage } from './reconcile-active-subscriptions.ts'
import { syncCustomer } from './sync-customer.ts'

const dayMs = 24 * 60 * 60 * 1000
const rowsPerRun = 1_000
const liveStatuses = ['active', 'trialing', 'past_due']

/**
 * Looks at the customers whose access has run out since the last look, and at live ones that nobody has looked at for a
 * day; this needs no event to exist, so it also finds what Stripe's list of events leaves out. Many are looked at through
 * the list of all subscriptions, few and whoever that list does not show one by one, oldest looks first.
 */
export async function syncStaleRows(deps: BillingDeps): Promise<RowCounts> {
  const { db } = deps.database
  const isDue = dueAt(deps.clock())
  const walked = await walkIfCheaper(deps, isDue)
  const due = await db
    .select({ customerId: billingCustomer.stripeCustomerId })
    .from(subscriptionState)
    .innerJoin(billingCustomer, eq(billingCustomer.userId, subscriptionState.userId))
    .where(isDue)
    .orderBy(asc(subscriptionState.syncedAt))
    .limit(rowsPerRun)
  const tally = customerSyncBatch(deps)
  for (const { customerId } of due) if (customerId) tally.add(customerId)
  await settleOldCheckouts(deps, tally.count)
  const { changed, failed } = await tally.run()
  return { rows: walked.rows + due.length, changed: walked.changed + changed, failed: walked.failed + failed }
}

const isLive = inArray(subscriptionState.status, liveStatuses)
const aDayBefore = (now: Date) => new Date(now.getTime() - dayMs)

function dueAt(now: Date): SQL | undefined {
  const boundaryPassed = and(
    lte(subscriptionState.entitledUntil, now),
    lt(subscriptionState.syncedAt, subscriptionState.entitledUntil),
  )
  return or(boundaryPassed, and(isLive, lt(subscriptionState.syncedAt, aDayBefore(now))))
}

/** As soon as the pages of the list are fewer than the rows that are due. */
async function walkIfCheaper(deps: BillingDeps, isDue: SQL | undefined): Promise<RowCounts> {
  const [all] = await deps.database.db
    .select({ live: count(), due: sql<number>`count(*) filter (where ${isDue})`.mapWith(Number) })
    .from(subscriptionState)
    .where(isLive)
  if (!all || all.due <= Math.ceil(all.live / subscriptionsPerPage)) return { rows: 0, changed: 0, failed: 0 }
  return reconcileActiveSubscriptions(deps, all.due)
}

/**
 * A session lives a day at most: what is older is over, whether or not its event came. It may be over because it was
 * paid, so its buyer is looked at before it is forgotten; after a failed look it stays, and with it the look that every
 * check takes while a checkout is pending.
 */
async function settleOldCheckouts(deps: BillingDeps, attempt: (work: () => Promise<unknown>) => Promise<void>) {
  const { db } = deps.database
  const old = await db
    .select({ userId: pendingCheckout.userId })
    .from(pendingCheckout)
    .where(lt(pendingCheckout.createdAt, aDayBefore(deps.clock())))
    .limit(rowsPerRun)
  for (const { userId } of old) {
    await attempt(async () => {
      const customerId = await findCustomerId(db, userId)
      if (customerId) await syncCustomer(deps, customerId)
      await settlePendingCheckout(deps, userId)
    })
  }
}
