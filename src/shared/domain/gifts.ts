import { paymentsPerYear } from './billing-interval.ts'
import type { PlanTerms } from './plans.ts'

/** Length of a gift that someone buys. */
export const giftMonths = 12
/** How long a gift can be claimed after its email. */
export const claimDays = 90
/** How far ahead a gift can be scheduled. */
export const maxDaysAhead = 366
export const maxMessageLength = 500

/** A year at the plan's price: the yearly price, twelve times the monthly one, or half of two years. */
export const giftPriceCents = ({
  priceCents,
  ...every
}: Pick<PlanTerms, 'priceCents' | 'interval' | 'intervalCount'>): number =>
  Math.round(priceCents * paymentsPerYear(every))

export const giftStates = ['unpaid', 'scheduled', 'sent', 'claimed', 'refunding', 'refunded', 'disputed'] as const
export type GiftState = (typeof giftStates)[number]
