import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { rateLimits } from '#server/db/schema/index.ts'
import { userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import type { Principal } from '#server/http/principal.ts'
import { notSubscribed, type Subscription } from '#shared/contracts/billing/subscription.ts'
import { type AccessFacts, boundaryPassedSince } from '#shared/domain/entitlement.ts'
import { accessOf, readAccessFacts } from '../access/read-access.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { settlePendingCheckout } from '../checkout/pending-checkout.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

type Who = Pick<Principal, 'userId' | 'subscription' | 'team' | 'complimentaryUntil' | 'hasPendingCheckout'>

/** Total time that a request waits for Stripe. */
const refreshTimeoutMs = 3_000
const refreshIntervalMs = 30_000

/** The response of `check-subscription`. For a team seat it shows the owner's plan. */
export function describeSubscription(
  { config, clock }: Pick<BillingDeps, 'config' | 'clock'>,
  facts: AccessFacts,
): Subscription {
  const { entitled, productId, shownEnd } = accessOf(config, facts, clock())
  if (!entitled) return notSubscribed
  return { subscribed: true, product_id: productId, subscription_end: shownEnd?.toISOString() ?? null }
}

/**
 * Answers from the principal without a query, unless a sync with Stripe is due. If the sync fails or times out, the
 * stored state is returned, so paying users keep access during a Stripe outage.
 */
export function createCheckSubscription(deps: BillingDeps) {
  // Saves the query in most cases; the database row limits refreshes across nodes.
  const refreshedAt = new LRUCache<string, number>({ max: 10_000 })

  async function mayRefresh(userId: string): Promise<boolean> {
    const now = deps.clock()
    const last = refreshedAt.get(userId)
    if (last !== undefined && Math.abs(now.getTime() - last) < refreshIntervalMs) return false
    refreshedAt.set(userId, now.getTime())
    const expiresAt = new Date(now.getTime() + refreshIntervalMs)
    const claimed = await deps.database.db
      .insert(rateLimits)
      .values({ key: userCounterKey(userId, 'billing-refresh'), points: 1, expiresAt })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: { expiresAt },
        setWhere: sql`${rateLimits.expiresAt} <= ${now.toISOString()}`,
      })
      .returning({ key: rateLimits.key })
    return claimed.length > 0
  }

  return async (who: Who, input: { refresh?: boolean }): Promise<Subscription> => {
    const now = deps.clock()
    const due = payersOf(who).filter(
      ({ subscription, hasPendingCheckout }) =>
        input.refresh ||
        hasPendingCheckout ||
        (subscription !== null && boundaryPassedSince(subscription, subscription.syncedAt, now)),
    )
    const allowed = await Promise.all(due.map(({ userId }) => mayRefresh(userId)))
    const payers = due.filter((_, index) => allowed[index])
    if (payers.length === 0) return describeSubscription(deps, who)
    await Promise.all(payers.map((payer) => refresh(deps, payer)))
    return describeSubscription(deps, await readAccessFacts(deps.database.db, who.userId))
  }
}

type Payer = Pick<Principal, 'userId' | 'subscription' | 'hasPendingCheckout'>

/** The users whose payments can give this user access: the user and their team's owner. */
function payersOf({ userId, subscription, hasPendingCheckout, team }: Who): Payer[] {
  const self = { userId, subscription, hasPendingCheckout }
  return team ? [self, { userId: team.ownerId, subscription: team, hasPendingCheckout: false }] : [self]
}

async function refresh(deps: BillingDeps, { userId, subscription, hasPendingCheckout }: Payer): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  try {
    await within(refreshTimeoutMs, async () => {
      const synced = await syncCustomer(deps, customerId, { interactive: true })
      if (hasPendingCheckout && synced) await settlePendingCheckout(deps, userId)
    })
  } catch (error) {
    const ageSeconds = subscription && Math.round((deps.clock().getTime() - subscription.syncedAt.getTime()) / 1000)
    deps.logger.warn(
      { userId, ageSeconds, ...describeFailure(error) },
      'subscription refresh failed; using the stored row',
    )
  }
}

/** Rejects after `ms`. The work itself continues in the background and still stores its result. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const timer = new AbortController()
  const timeout = delay(ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`timed out after ${ms} ms`)
  })
  try {
    await Promise.race([work(), timeout])
  } finally {
    timer.abort()
    timeout.catch(() => {})
  }
}
