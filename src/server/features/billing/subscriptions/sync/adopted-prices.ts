import { adoptedPrice } from '#server/db/schema/index.ts'
import type { PlanKey } from '#shared/domain/plans.ts'
import type { BillingDeps } from '../billing-deps.ts'

type PriceDeps = Pick<BillingDeps, 'config' | 'database'>

const maxAgeMs = 10_000

type Loaded = { at: number; plans: ReadonlyMap<string, PlanKey> }
/** By configuration, so that two servers in one process don't share them. */
const loaded = new WeakMap<object, Loaded>()

/**
 * Loads which prices of other products count as our plans. Call it before Stripe's objects are interpreted; rows of
 * subscriptions contain our own product ids and don't need it.
 */
export async function loadAdoptedPrices({ config, database }: PriceDeps, maxAge = maxAgeMs): Promise<void> {
  const known = loaded.get(config.stripe)
  if (known && performance.now() - known.at < maxAge) return
  const rows = await database.db.select({ priceId: adoptedPrice.priceId, plan: adoptedPrice.plan }).from(adoptedPrice)
  loaded.set(config.stripe, { at: performance.now(), plans: new Map(rows.map(({ priceId, plan }) => [priceId, plan])) })
}

export const planOfAdoptedPrice = ({ config }: Pick<BillingDeps, 'config'>, priceId: string): PlanKey | undefined =>
  loaded.get(config.stripe)?.plans.get(priceId)
