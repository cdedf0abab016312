import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { rateLimits } from '#server/db/schema/index.ts'
import { userCounterKey } from '#server/features/auth/limits/rate-limit-counters.ts'
import type { Principal } from '#server/http/principal.ts'
import { notSubscribed, type Subscription } from '#shared/contracts/subscription.ts'
import { type AccessFacts, boundaryPassedSince } from '#shared/domain/entitlement.ts'
import { accessOf, readAccessFacts } from './access.ts'
import type { BillingDeps } from './billing-deps.ts'
import { findCustomerId } from './customer.ts'
import { settlePendingCheckout } from './pending-checkout.ts'
import { describeFailure } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'

type Who = Pick<Principal, 'userId' | 'subscription' | 'team' | 'complimentaryUntil' | 'hasPendingCheckout'>

/** How long a reader waits for a look at Stripe, all calls together. */
const refreshWithinMs = 3_000
const refreshEveryMs = 30_000

/** The answer of `check-subscription`; a team seat shows the plan that it belongs to. */
export function describeSubscription(
  { config, clock }: Pick<BillingDeps, 'config' | 'clock'>,
  facts: AccessFacts,
): Subscription {
  const { entitled, productId, shownEnd } = accessOf(config, facts, clock())
  if (!entitled) return notSubscribed
  return { subscribed: true, product_id: productId, subscription_end: shownEnd?.toISOString() ?? null }
}

/**
 * Answers from what the principal was read with: no query and no call, unless a look at Stripe is due. A look that fails
 * or takes too long changes nothing about the answer, so a paying reader stays in while Stripe is down.
 */
export function createCheckSubscription(deps: BillingDeps) {
  // Spares the database the question in most cases; the row below decides across nodes.
  const refreshedAt = new LRUCache<string, number>({ max: 10_000 })

  async function mayRefresh(userId: string): Promise<boolean> {
    const now = deps.clock()
    const last = refreshedAt.get(userId)
    if (last !== undefined && Math.abs(now.getTime() - last) < refreshEveryMs) return false
    refreshedAt.set(userId, now.getTime())
    const expiresAt = new Date(now.getTime() + refreshEveryMs)
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
    const looks = payersOf(who).filter(
      ({ subscription, hasPendingCheckout }) =>
        input.refresh ||
        hasPendingCheckout ||
        (subscription !== null && boundaryPassedSince(subscription, subscription.syncedAt, now)),
    )
    const turns = await Promise.all(looks.map(({ userId }) => mayRefresh(userId)))
    const taken = looks.filter((_, index) => turns[index])
    if (taken.length === 0) return describeSubscription(deps, who)
    await Promise.all(taken.map((payer) => refresh(deps, payer)))
    return describeSubscription(deps, await readAccessFacts(deps.database.db, who.userId))
  }
}

type Payer = Pick<Principal, 'userId' | 'subscription' | 'hasPendingCheckout'>

/** Whose payments open the portal to somebody: their own, and those of the owner in whose team they are. */
function payersOf({ userId, subscription, hasPendingCheckout, team }: Who): Payer[] {
  const self = { userId, subscription, hasPendingCheckout }
  return team ? [self, { userId: team.ownerId, subscription: team, hasPendingCheckout: false }] : [self]
}

async function refresh(deps: BillingDeps, { userId, subscription, hasPendingCheckout }: Payer): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  try {
    await within(refreshWithinMs, async () => {
      const synced = await syncCustomer(deps, customerId, { interactive: true })
      if (hasPendingCheckout && synced) await settlePendingCheckout(deps, userId)
    })
  } catch (error) {
    const ageSeconds = subscription && Math.round((deps.clock().getTime() - subscription.syncedAt.getTime()) / 1000)
    deps.logger.warn({ userId, ageSeconds, ...describeFailure(error) }, 'refresh failed; the stored row is served')
  }
}

/** The work goes on behind the answer: what it finds is still worth storing. */
async function within(ms: number, work: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  const tooLate = delay(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`)
  })
  try {
    await Promise.race([work(), tooLate])
  } finally {
    over.abort()
    tooLate.catch(() => {})
  }
}
