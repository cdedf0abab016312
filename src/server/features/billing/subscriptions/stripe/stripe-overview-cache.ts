import { LRUCache } from 'lru-cache'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { BillingDeps } from '../billing-deps.ts'
import type { PriceChange } from '../price-change.ts'
import type { SubscriptionRow } from '../sync/subscription-row.ts'
import { mayBeVisitingStripe, takeStripeCalls } from './stripe-call-budget.ts'
import { fetchStripeOverview } from './stripe-overview.ts'

type StripeOverview = NonNullable<BillingOverview['stripe']> | 'deleted'
type Entry = { version: string; at: number; result: Promise<StripeOverview> }

const ttlMs = 3_000
const callsPerFetch = 5

/** One cache per database, so that two servers in one process don't share entries. */
const caches = new WeakMap<object, LRUCache<string, Entry>>()

/**
 * `fetchStripeOverview`, cached for a few seconds. Each sync on any node raises the row's `syncSeq`, which invalidates
 * the entry. Users who may be on Stripe's own pages always get fresh data.
 * @throws AppError over_request_rate_limit; errors from Stripe
 */
export async function readStripeOverviewCached(
  deps: BillingDeps,
  {
    userId,
    customerId,
    row,
    priceChange,
  }: { userId: string; customerId: string; row: SubscriptionRow | null; priceChange: PriceChange | null },
): Promise<StripeOverview> {
  const cache = caches.get(deps.database) ?? new LRUCache<string, Entry>({ max: 5_000 })
  caches.set(deps.database, cache)
  const version = `${customerId} ${row?.syncSeq} ${priceChange?.pendingPriceId}`
  const needsFresh = await mayBeVisitingStripe(deps, userId)
  const now = deps.clock().getTime()
  const cached = cache.get(userId)
  if (!needsFresh && cached?.version === version && Math.abs(now - cached.at) < ttlMs) return cached.result
  const result = takeStripeCalls(deps, userId, callsPerFetch).then(() =>
    fetchStripeOverview(deps, customerId, row, priceChange),
  )
  cache.set(userId, { version, at: now, result })
  result.catch(() => {
    if (cache.peek(userId)?.result === result) cache.delete(userId)
  })
  return result
}
