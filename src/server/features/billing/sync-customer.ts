import type Stripe from 'stripe'
import type { Database } from '#server/db/database.ts'
import type { BillingDeps } from './billing-deps.ts'
import { type CustomerState, readCustomerState } from './read-customer-state.ts'
import { fetchRevenueRecords } from './revenue/fetch-revenue-records.ts'
import { syncRevenueRecords } from './revenue/sync-revenue-records.ts'
import { interactiveRequest } from './stripe-client.ts'
import { findSyncTarget, nextSyncSeq, type SubscriptionRow, writeSyncResult } from './subscription-row.ts'

export type SyncOptions = {
  /** Ledger rows that are done once the finding is written. */
  eventIds?: readonly string[]
  /** A reader waits: one short try at Stripe. */
  interactive?: boolean
  /** Most likely nothing runs: whether there still is a customer is asked along with it, and not after it. */
  expectsNone?: boolean
}

/** `null`: the customer is not one of ours. */
export type SyncResult = { userId: string; row: SubscriptionRow; changed: boolean; state: CustomerState } | null

type Run = { eventIds: Set<string>; result: Promise<SyncResult> }

/** Runs that have not begun, by customer; per database, so that two servers in one process share none. */
const waiting = new WeakMap<Database, Map<string, Run>>()
const running = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Makes our row and the books say what Stripe says: the only writer of `subscription_state`. It takes nothing from whoever asks but
 * the customer's id, so asking twice, late or in any order ends in the same row.
 *
 * Asked while it runs, all who ask share one further run: a purchase brings a dozen events, and any look at Stripe that
 * begins after the last of them answers them all.
 */
export function syncCustomer(deps: BillingDeps, customerId: string, options: SyncOptions = {}): Promise<SyncResult> {
  const { eventIds = [], interactive = false, expectsNone = false } = options
  const key = `${customerId}${interactive ? ' in a hurry' : ''}`
  const queued = ofDatabase(waiting, deps.database)
  const joined = queued.get(key)
  if (joined) {
    for (const id of eventIds) joined.eventIds.add(id)
    return joined.result
  }
  const begun = ofDatabase(running, deps.database)
  const asked = new Set(eventIds)
  const result = (begun.get(key) ?? Promise.resolve())
    .catch(() => {})
    .then(() => {
      queued.delete(key)
      return syncOnce(deps, customerId, asked, { request: interactive ? interactiveRequest : {}, expectsNone })
    })
  queued.set(key, { eventIds: asked, result })
  begun.set(key, result)
  const tidy = () => {
    if (begun.get(key) === result) begun.delete(key)
  }
  result.then(tidy, tidy)
  return result
}

/**
 * The turn is drawn before the look at Stripe and an older turn never overwrites a newer one. So whatever stands in the
 * end was read after the turn of everybody who was refused, which is all that they asked for.
 */
async function syncOnce(
  deps: BillingDeps,
  customerId: string,
  eventIds: ReadonlySet<string>,
  { request, expectsNone }: { request: Stripe.RequestOptions; expectsNone: boolean },
): Promise<SyncResult> {
  const { db } = deps.database
  const target = await findSyncTarget(db, customerId)
  if (!target) {
    await syncRevenueRecords(deps, customerId)
    return null
  }
  const { userId, stateHash } = target
  const seq = await nextSyncSeq(db, target.syncSeq)
  const { subscriptions, ...state } = await readCustomerState(deps, customerId, request, expectsNone)
  const { gone, testClockTime } = state
  const look = {
    customerId,
    subscriptions,
    gone,
    now: testClockTime ?? deps.clock(),
    stateHash,
    afterEvent: eventIds.size > 0,
  }
  const books = await fetchRevenueRecords(deps, look, request)
  const written = await writeSyncResult(deps, { userId, customerId, seq, state, books, eventIds: [...eventIds] })
  return written && { userId, state, ...written }
}

function ofDatabase<T>(all: WeakMap<Database, Map<string, T>>, database: Database): Map<string, T> {
  const own = all.get(database) ?? new Map<string, T>()
  all.set(database, own)
  return own
}
