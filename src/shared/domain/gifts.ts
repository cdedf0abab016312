import type { PlanTerms } from './plans.ts'

/** Length of a gift that someone buys. */
export const giftMonths = 12
/** How long a gift can be claimed after its email. */
export const claimDays = 90
/** How far ahead a gift can be scheduled. */
export const maxDaysAhead = 366
export const maxMessageLength = 500

/** A year at the plan's price: the yearly price, or twelve times the monthly one. */
export const giftPriceCents = ({ priceCents, interval }: Pick<PlanTerms, 'priceCents' | 'interval'>): number =>
  interval === 'year' ? priceCents : priceCents * 12

export const giftStates = ['unpaid', 'scheduled', 'sent', 'claimed', 'refunding', 'refunded', 'disputed'] as const
export type GiftState = (typeof giftStates)[number]
