import { and, asc, eq, inArray, lt, lte, or } from 'drizzle-orm'
import { billingCustomer, pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { settlePendingCheckout } from './pending-checkout.ts'
import { syncTally } from './sync-tally.ts'

export type RowCounts = { rows: number; changed: number; failed: number }

const dayMs = 24 * 60 * 60 * 1000
const rowsPerRun = 1_000
const liveStatuses = ['active', 'trialing', 'past_due']

/**
 * Looks at the customers whose access has run out since the last look, and at live ones that nobody has looked at for a
 * day; this needs no event to exist, so it also finds what Stripe's list of events leaves out. Oldest looks first.
 */
export async function syncDueRows(deps: BillingDeps): Promise<RowCounts> {
  const { db } = deps.database
  const now = deps.clock()
  const aDayAgo = new Date(now.getTime() - dayMs)
  const boundaryPassed = and(
    lte(subscriptionState.entitledUntil, now),
    lt(subscriptionState.syncedAt, subscriptionState.entitledUntil),
  )
  const notSeenForADay = and(inArray(subscriptionState.status, liveStatuses), lt(subscriptionState.syncedAt, aDayAgo))
  const due = await db
    .select({ customerId: billingCustomer.stripeCustomerId })
    .from(subscriptionState)
    .innerJoin(billingCustomer, eq(billingCustomer.userId, subscriptionState.userId))
    .where(or(boundaryPassed, notSeenForADay))
    .orderBy(asc(subscriptionState.syncedAt))
    .limit(rowsPerRun)
  const tally = syncTally(deps)
  for (const { customerId } of due) if (customerId) tally.add(customerId)
  await settleOldCheckouts(deps, aDayAgo)
  return { rows: due.length, ...(await tally.run()) }
}

/** A session lives a day at most: what is older is over, whether or not its event came. */
async function settleOldCheckouts(deps: BillingDeps, before: Date) {
  const old = await deps.database.db
    .select({ userId: pendingCheckout.userId })
    .from(pendingCheckout)
    .where(lt(pendingCheckout.createdAt, before))
    .limit(rowsPerRun)
  for (const { userId } of old) await settlePendingCheckout(deps, userId).catch(() => {})
}
