import { z } from 'zod'
import { perPeriod } from './billing-interval.ts'
import { formatWholeMoney } from './format.ts'
import type { PlanTerms } from './plans.ts'

/** The price of a member's own subscription, before discounts. It can differ from the plan's list price. */
export const subscriptionPriceSchema = z.object({
  amountCents: z.number().int(),
  currency: z.string(),
  /** Stripe's: day, week, month or year; `once` for what doesn't renew. */
  interval: z.string(),
  intervalCount: z.number().int(),
  /** Seats that the amount pays for, if the plan is priced per seat. */
  seats: z.number().int().optional(),
})
export type SubscriptionPrice = z.infer<typeof subscriptionPriceSchema>

/** @param seats for a plan that is priced per seat; default: one */
export const listPrice = (
  {
    priceCents,
    currency,
    interval,
    intervalCount = 1,
    once,
    perSeat,
  }: Pick<PlanTerms, 'priceCents' | 'currency' | 'interval' | 'intervalCount' | 'once'> & { perSeat?: boolean },
  seats = 1,
): SubscriptionPrice => ({
  amountCents: perSeat ? priceCents * seats : priceCents,
  currency,
  interval: once ? 'once' : interval,
  intervalCount,
  ...(perSeat && { seats }),
})

/** "$10 per month", "€4.50 every 6 months" or "$50 per month for 5 seats". */
export const formatPrice = ({ amountCents, currency, seats, ...every }: SubscriptionPrice): string =>
  `${formatWholeMoney(amountCents, currency)} ${perPeriod(every)}${seats === undefined ? '' : ` for ${seats === 1 ? '1 seat' : `${seats} seats`}`}`

/** A price that isn't the plan's list price, as for members who came from another product of the publisher. */
export function specialPrice(plan: PlanTerms, price: SubscriptionPrice | null): string | null {
  if (!price) return null
  const text = formatPrice(price)
  return text === formatPrice(listPrice(plan, price.seats)) ? null : text
}
