import { z } from 'zod'
import { formatWholeMoney } from './format-money.ts'
import type { PlanTerms } from './plans.ts'

/** The price of a member's own subscription, before discounts. It can differ from the plan's list price. */
export const subscriptionPriceSchema = z.object({
  amountCents: z.number().int(),
  currency: z.string(),
  /** Stripe's: day, week, month or year. */
  interval: z.string(),
  intervalCount: z.number().int(),
})
export type SubscriptionPrice = z.infer<typeof subscriptionPriceSchema>

export const listPrice = ({
  priceCents,
  currency,
  interval,
}: Pick<PlanTerms, 'priceCents' | 'currency' | 'interval'>): SubscriptionPrice => ({
  amountCents: priceCents,
  currency,
  interval,
  intervalCount: 1,
})

/** "$10 per month" or "€4.50 every 6 months". */
export const formatPrice = ({ amountCents, currency, interval, intervalCount }: SubscriptionPrice): string =>
  `${formatWholeMoney(amountCents, currency)} ${intervalCount === 1 ? `per ${interval}` : `every ${intervalCount} ${interval}s`}`

/** A price that isn't the plan's list price, as for members who came from another product of the publisher. */
export function specialPrice(plan: PlanTerms, price: SubscriptionPrice | null): string | null {
  if (!price) return null
  const text = formatPrice(price)
  return text === formatPrice(listPrice(plan)) ? null : text
}
