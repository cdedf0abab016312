import { LRUCache } from 'lru-cache'
import type { BillingOverview } from '#shared/contracts/billing.ts'
import type { BillingDeps } from './billing-deps.ts'
import { readBillingAtStripe } from './overview-at-stripe.ts'
import { mayBeAtStripe, takeStripeCalls } from './stripe-budget.ts'
import type { SubscriptionRow } from './subscription-row.ts'

type AtStripe = NonNullable<BillingOverview['atStripe']> | 'gone'
type Entry = { version: string; at: number; answer: Promise<AtStripe> }

const ttlMs = 3_000
const callsPerRead = 5

/** Per database, so that two servers in one process share none. */
const caches = new WeakMap<object, LRUCache<string, Entry>>()

/**
 * What Stripe says for the billing page, asked once for requests that come together. Every sync, on any node, gives the
 * row another number and so ends what is remembered: a member's own action is seen at once. Somebody who was sent to
 * Stripe's pages is answered anew each time.
 * @throws AppError over_request_rate_limit, and whatever Stripe throws
 */
export async function readAtStripeOnce(
  deps: BillingDeps,
  { userId, customerId, row }: { userId: string; customerId: string; row: SubscriptionRow | null },
): Promise<AtStripe> {
  const cache = caches.get(deps.database) ?? new LRUCache<string, Entry>({ max: 5_000 })
  caches.set(deps.database, cache)
  const version = `${customerId} ${row?.syncSeq}`
  const isAway = await mayBeAtStripe(deps, userId)
  const now = deps.clock().getTime()
  const known = cache.get(userId)
  if (!isAway && known?.version === version && Math.abs(now - known.at) < ttlMs) return known.answer
  const answer = takeStripeCalls(deps, userId, callsPerRead).then(() => readBillingAtStripe(deps, customerId, row))
  cache.set(userId, { version, at: now, answer })
  answer.catch(() => {
    if (cache.peek(userId)?.answer === answer) cache.delete(userId)
  })
  return answer
}
