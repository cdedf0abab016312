import { eq } from 'drizzle-orm'
import { revenueCustomer } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { listSubscriptions, testTime } from '../sync/read-customer-state.ts'
import { nextSyncSeq } from '../sync/subscription-row.ts'
import { fetchRevenueRecords } from './fetch-revenue-records.ts'
import { writeRevenueRecords } from './write-revenue-records.ts'

/**
 * Records payments, refunds and cancellations of a customer without a user, such as after account deletion. Skips
 * customers without revenue records, unless `isClosing`.
 */
export async function syncRevenueRecords(
  deps: BillingDeps,
  customerId: string,
  { isClosing = false } = {},
): Promise<void> {
  const { db } = deps.database
  const [stored] = await db.select().from(revenueCustomer).where(eq(revenueCustomer.customerId, customerId))
  if (!stored && !isClosing) return
  const seq = await nextSyncSeq(db, stored?.syncSeq ?? 0)
  const subscriptions = await listSubscriptions(deps, customerId, {})
  const input = {
    customerId,
    subscriptions,
    isDeleted: subscriptions.length === 0,
    now: testTime(subscriptions[0]?.test_clock) ?? deps.clock(),
    stateHash: stored?.stateHash ?? null,
    afterEvent: true,
  }
  const found = await fetchRevenueRecords(deps, input, {})
  if (found) await db.transaction((tx) => writeRevenueRecords(tx, { customerId, seq }, found))
}
