import type { Config } from '#server/config/config.ts'
import type { subscriptionState } from '#server/db/schema/index.ts'
import { planOf } from '#shared/domain/plans.ts'
import { listPrice, type SubscriptionPrice } from '#shared/domain/subscription-price.ts'
import { planOfPrice } from '../stripe/plan-ids.ts'

type PriceColumns = Pick<
  typeof subscriptionState.$inferSelect,
  'priceId' | 'priceCents' | 'priceCurrency' | 'priceInterval' | 'priceIntervalCount'
>

/**
 * Price of the subscription. Null without a subscription, for tiered prices, and for prices that aren't sold here until
 * the next sync has stored them.
 */
export function storedPrice(
  config: Pick<Config, 'settings' | 'stripe'>,
  { priceId, priceCents, priceCurrency, priceInterval, priceIntervalCount }: PriceColumns,
): SubscriptionPrice | null {
  if (priceCents !== null && priceCurrency !== null && priceInterval !== null && priceIntervalCount !== null) {
    return {
      amountCents: priceCents,
      currency: priceCurrency,
      interval: priceInterval,
      intervalCount: priceIntervalCount,
    }
  }
  const plan = priceId === null ? undefined : planOfPrice(config, priceId)
  return plan ? listPrice(planOf(config.settings.publication, plan)) : null
}
