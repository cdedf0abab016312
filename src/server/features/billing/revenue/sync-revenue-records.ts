import { eq } from 'drizzle-orm'
import { revenueCustomer } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { listSubscriptions, testTime } from '../read-customer-state.ts'
import { nextSyncSeq } from '../subscription-row.ts'
import { fetchRevenueRecords } from './fetch-revenue-records.ts'
import { writeRevenueRecords } from './write-revenue-records.ts'

/**
 * Books what happened to a customer who is no user's any more: the account is gone, its payments, refunds and end are
 * not. Nothing for customers that never were in the books, unless `leaving`, whose account is closed right now.
 */
export async function syncRevenueRecords(
  deps: BillingDeps,
  customerId: string,
  { leaving = false } = {},
): Promise<void> {
  const { db } = deps.database
  const [books] = await db.select().from(revenueCustomer).where(eq(revenueCustomer.customerId, customerId))
  if (!books && !leaving) return
  const seq = await nextSyncSeq(db, books?.syncSeq ?? 0)
  const subscriptions = await listSubscriptions(deps, customerId, {})
  const look = {
    customerId,
    subscriptions,
    isDeleted: subscriptions.length === 0,
    now: testTime(subscriptions[0]?.test_clock) ?? deps.clock(),
    stateHash: books?.stateHash ?? null,
    afterEvent: true,
  }
  const found = await fetchRevenueRecords(deps, look, {})
  if (found) await db.transaction((tx) => writeRevenueRecords(tx, { customerId, seq }, found))
}
