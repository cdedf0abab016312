import type Stripe from 'stripe'
import type { Database } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { refuseSecondTrial } from '../checkout/trial-usage-of-cards.ts'
import { fetchCustomer } from '../customers/stripe-customer-ids.ts'
import { restoreStayDiscounts } from '../retention/stay-discount.ts'
import { fetchRevenueRecords } from '../revenue/fetch-revenue-records.ts'
import { syncRevenueRecords } from '../revenue/write-revenue-records.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { interactiveRequest } from '../stripe/stripe-overview.ts'
import { markEventsProcessed, recordEventFailure } from '../webhooks/event-outcomes.ts'
import { cancelDuplicateSubscription } from './cancel-duplicate-subscription.ts'
import { splitDuplicates } from './choose-subscription.ts'
import { limitConcurrency, runInKeyedQueue } from './keyed-queue.ts'
import { billsOtherProducts, isPlanSubscription, loadAdoptedPrices } from './plan-subscriptions.ts'
import { type CustomerState, listSubscriptions, readCustomerState } from './read-customer-state.ts'
import { findSyncTarget, nextSyncSeq, type SubscriptionRow } from './subscription-row.ts'
import { storeUnchanged, writeSyncResult } from './write-sync-result.ts'

/**
 * Refuses second trials with the same card, and refunds and cancels all live plans of a customer but the oldest. Leaves
 * plans alone that also bill other products. Idempotent.
 * @param listed all subscriptions of the customer
 * @returns whether anything at Stripe changed, so that `listed` is out of date
 */
async function cancelSurplusPlans(
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

export type SyncOptions = {
  /** Events to mark as processed when the result is written. */
  eventIds?: readonly string[]
  /** Payments may have changed in a way that subscriptions don't show, such as a refund. */
  afterPayment?: boolean
  /** A user is waiting: one short attempt. */
  interactive?: boolean
  /** Expects no live subscription, so checks in parallel whether the customer still exists. */
  expectsNone?: boolean
  /** Changes nothing at Stripe and sends no email: the customer comes from other software. */
  isAdoption?: boolean
}

/** Null if the customer isn't ours. */
export type SyncResult = { userId: string; row: SubscriptionRow; changed: boolean; state: CustomerState } | null

type Run = { eventIds: Set<string>; payments: { changed: boolean }; result: Promise<SyncResult> }

/** Syncs that wait for a running one of their customer, per database, so that two servers in one process don't share them. */
const waiting = new WeakMap<Database, Map<string, Run>>()

/** Syncs for events, which can come by the thousand, at a time. Those that wait are joined by further events. */
const withinLimit = limitConcurrency(10)

/**
 * Updates our row and the revenue records from Stripe. Reads the current state, so repeated, late and reordered calls
 * give the same result: their numbers decide which one is stored, and a lock of the row which one sends notices. The
 * queue only saves requests: calls during a run share one further run.
 */
export function syncCustomer(deps: BillingDeps, customerId: string, options: SyncOptions = {}): Promise<SyncResult> {
  const { eventIds = [], afterPayment = false, interactive = false, expectsNone = false, isAdoption = false } = options
  const key = `${customerId}${interactive ? ' interactive' : ''}${isAdoption ? ' adoption' : ''}`
  const waitingByKey = waiting.get(deps.database) ?? new Map<string, Run>()
  waiting.set(deps.database, waitingByKey)
  const joined = waitingByKey.get(key)
  if (joined) {
    for (const id of eventIds) joined.eventIds.add(id)
    joined.payments.changed ||= afterPayment
    return joined.result
  }
  const pendingIds = new Set(eventIds)
  const payments = { changed: afterPayment }
  const run = () => {
    waitingByKey.delete(key)
    const request = interactive ? interactiveRequest : {}
    return syncOnce(deps, customerId, pendingIds, { request, expectsNone, isAdoption, afterPayment: payments.changed })
  }
  const isForEvents = pendingIds.size > 0
  const result = runInKeyedQueue(deps.database, `sync ${key}`, () => (isForEvents ? withinLimit(run) : run()))
  waitingByKey.set(key, { eventIds: pendingIds, payments, result })
  return result
}

/**
 * Draws the sync number before reading Stripe, and an older sync never overwrites a newer one. So a skipped write always
 * means that fresher data is already stored.
 */
async function syncOnce(
  deps: BillingDeps,
  customerId: string,
  eventIds: ReadonlySet<string>,
  {
    request,
    expectsNone,
    isAdoption,
    afterPayment,
  }: { request: Stripe.RequestOptions; expectsNone: boolean; isAdoption: boolean; afterPayment: boolean },
): Promise<SyncResult> {
  await loadAdoptedPrices(deps)
  const target = await findSyncTarget(deps.database, customerId)
  if (!target) {
    await syncRevenueRecords(deps, customerId)
    return null
  }
  const { userId, revenue } = target
  const seq = await nextSyncSeq(deps.database, target.syncSeq)
  const [listed, exists] = await Promise.all([
    listSubscriptions(deps, customerId, request),
    expectsNone ? fetchCustomer(deps, customerId, request).then(Boolean) : undefined,
  ])
  const hasSurplus = !isAdoption && (await cancelSurplusPlans(deps, customerId, listed))
  const hasChanged = (!isAdoption && (await restoreStayDiscounts(deps, listed))) || hasSurplus
  // The revenue records need the end date.
  const subscriptions = hasChanged ? await listSubscriptions(deps, customerId, request) : listed
  const state = await readCustomerState(deps, customerId, { subscriptions, exists }, request)
  const { isDeleted, testClockTime } = state
  const input = {
    customerId,
    subscriptions,
    isDeleted,
    now: testClockTime ?? deps.clock(),
    stateHash: revenue?.stateHash ?? null,
    afterPayment,
  }
  const revenueRecords = await fetchRevenueRecords(deps, input, request)
  const findings = { userId, customerId, seq, state, revenueRecords, eventIds: [...eventIds], isAdoption }
  const written = (await storeUnchanged(deps, target, findings)) ?? (await writeSyncResult(deps, findings))
  return written && { userId, state, ...written }
}

/** Syncs in parallel. Low enough to leave most of Stripe's rate limit to user requests. */
const maxConcurrent = 4

/** Collects customers with the events that triggered their sync, syncs each once and counts changes and failures. */
export function customerSyncBatch(deps: BillingDeps) {
  const eventsByCustomer = new Map<string, string[]>()
  const counts = { changed: 0, failed: 0 }

  async function count(work: () => Promise<unknown>): Promise<void> {
    await work().catch(() => {
      counts.failed += 1
    })
  }

  async function syncOne(customerId: string, eventIds: string[]) {
    try {
      const result = await syncCustomer(deps, customerId, { eventIds, afterPayment: eventIds.length > 0 })
      if (result?.changed) counts.changed += 1
      // The customer isn't ours.
      if (!result) await markEventsProcessed(deps.database.db, eventIds, { at: deps.clock() })
    } catch (error) {
      counts.failed += 1
      await recordEventFailure(deps.database.db, eventIds, error)
      deps.logger.error({ customerId, ...describeFailure(error) }, 'customer sync failed')
    }
  }

  return {
    count,
    add(customerId: string, ...eventIds: string[]) {
      eventsByCustomer.set(customerId, [...(eventsByCustomer.get(customerId) ?? []), ...eventIds])
    },
    async run() {
      const queue = eventsByCustomer.entries()
      const worker = async () => {
        for (const [customerId, eventIds] of queue) await syncOne(customerId, eventIds)
      }
      await Promise.all(Array.from({ length: maxConcurrent }, worker))
      return counts
    },
  }
}
