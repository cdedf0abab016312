import { and, asc, count, eq, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { billingCustomer, pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { settlePendingCheckout } from '../checkout/pending-checkout.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { customerSyncBatch, syncCustomer } from '../sync/sync-customer.ts'
import { type RowCounts, reconcileActiveSubscriptions, subscriptionsPerPage } from './reconcile-active-subscriptions.ts'

const rowsPerRun = 1_000
const liveStatuses = ['active', 'trialing', 'past_due']

/**
 * Syncs customers whose access or pause ended since their last sync and live ones not synced for a day, without relying on events.
 * Uses the list of all subscriptions if that takes fewer calls, then syncs the rest one by one, oldest first.
 */
export async function syncStaleRows(deps: BillingDeps): Promise<RowCounts> {
  const { db } = deps.database
  const isDue = dueAt(deps.clock())
  const listed = await reconcileListIfCheaper(deps, isDue)
  const due = await db
    .select({ customerId: billingCustomer.stripeCustomerId })
    .from(subscriptionState)
    .innerJoin(billingCustomer, eq(billingCustomer.userId, subscriptionState.userId))
    .where(isDue)
    .orderBy(asc(subscriptionState.syncedAt))
    .limit(rowsPerRun)
  const batch = customerSyncBatch(deps)
  for (const { customerId } of due) if (customerId) batch.add(customerId)
  await settleOldCheckouts(deps, batch.count)
  const { changed, failed } = await batch.run()
  return { rows: listed.rows + due.length, changed: listed.changed + changed, failed: listed.failed + failed }
}

const isLive = inArray(subscriptionState.status, liveStatuses)
const oneDayBefore = (now: Date) => new Date(now.getTime() - dayMs)

function dueAt(now: Date): SQL | undefined {
  const boundaryPassed = and(
    lte(subscriptionState.entitledUntil, now),
    lt(subscriptionState.syncedAt, subscriptionState.entitledUntil),
  )
  const pauseEnded = and(
    lte(subscriptionState.pauseEndsAt, now),
    lt(subscriptionState.syncedAt, subscriptionState.pauseEndsAt),
  )
  return or(boundaryPassed, pauseEnded, and(isLive, lt(subscriptionState.syncedAt, oneDayBefore(now))))
}

/** Uses the list if it has fewer pages than there are due rows. */
async function reconcileListIfCheaper(deps: BillingDeps, isDue: SQL | undefined): Promise<RowCounts> {
  const [all] = await deps.database.db
    .select({ live: count(), due: sql<number>`count(*) filter (where ${isDue})`.mapWith(Number) })
    .from(subscriptionState)
    .where(isLive)
  if (!all || all.due <= Math.ceil(all.live / subscriptionsPerPage)) return { rows: 0, changed: 0, failed: 0 }
  return reconcileActiveSubscriptions(deps, all.due)
}

/**
 * Deletes pending checkouts older than a session's 24 hours. Syncs the customer first, since the checkout may have been
 * paid; if the sync fails, the row stays.
 */
async function settleOldCheckouts(deps: BillingDeps, attempt: (work: () => Promise<unknown>) => Promise<void>) {
  const { db } = deps.database
  const old = await db
    .select({ userId: pendingCheckout.userId })
    .from(pendingCheckout)
    .where(lt(pendingCheckout.createdAt, oneDayBefore(deps.clock())))
    .limit(rowsPerRun)
  for (const { userId } of old) {
    await attempt(async () => {
      const customerId = await findCustomerId(db, userId)
      if (customerId) await syncCustomer(deps, customerId)
      await settlePendingCheckout(deps, userId)
    })
  }
}
