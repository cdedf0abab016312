import type { Config } from '#server/config/config.ts'
import type { subscriptionState } from '#server/db/schema/index.ts'
import { findPlan, planOf } from '#shared/domain/plans.ts'
import { listPrice, type SubscriptionPrice } from '#shared/domain/subscription-price.ts'
import { planOfPrice, planOfProduct } from '../stripe/plan-ids.ts'

type PriceColumns = Pick<
  typeof subscriptionState.$inferSelect,
  'productId' | 'priceId' | 'priceCents' | 'priceCurrency' | 'priceInterval' | 'priceIntervalCount' | 'quantity'
>

/**
 * Price of the subscription. Null without a subscription, for tiered prices, and for prices that aren't sold here until
 * the next sync has stored them.
 */
export function storedPrice(
  config: Pick<Config, 'settings' | 'stripe'>,
  { productId, priceId, priceCents, priceCurrency, priceInterval, priceIntervalCount, quantity }: PriceColumns,
): SubscriptionPrice | null {
  const { publication } = config.settings
  const isPerSeat = findPlan(publication, planOfProduct(config, productId))?.perSeat
  if (priceCents !== null && priceCurrency !== null && priceInterval !== null && priceIntervalCount !== null) {
    return {
      amountCents: priceCents,
      currency: priceCurrency,
      interval: priceInterval,
      intervalCount: priceIntervalCount,
      ...(isPerSeat && { seats: quantity }),
    }
  }
  const plan = priceId === null ? undefined : planOfPrice(config, priceId)
  return plan ? listPrice(planOf(publication, plan), quantity) : null
}

/** The price with the next renewal, which can be for fewer seats. */
export function renewalPrice(
  config: Pick<Config, 'settings' | 'stripe'>,
  row: PriceColumns & Pick<typeof subscriptionState.$inferSelect, 'seatsAfterRenewal' | 'cancelAt'>,
): SubscriptionPrice | null {
  const price = storedPrice(config, row)
  const { seatsAfterRenewal: seats, quantity, cancelAt } = row
  if (!price || seats === null || cancelAt) return price
  return { ...price, seats, amountCents: (price.amountCents / quantity) * seats }
}
