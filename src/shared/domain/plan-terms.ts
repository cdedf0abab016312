import type { IntervalUnit } from './billing-interval.ts'

/** `pro_monthly`, or `plan_` and twelve hex digits. Stays the same for ever; names and prices change. */
export type PlanKey = string

export const oncePaid = ['period', 'forever'] as const
export type OncePaid = (typeof oncePaid)[number]

export type PlanTerms = {
  key: PlanKey
  name: string
  /** One line under the price; empty for none. */
  note: string
  /** Features of the plan, one line each. */
  features: readonly string[]
  /** In the currency's smallest unit: cents, or whole yen. */
  priceCents: number
  /** Stripe's code, such as `usd`. */
  currency: string
  interval: IntervalUnit
  /** Intervals between payments: 3 for a quarterly plan. Absent for 1. */
  intervalCount?: number
  /**
   * Paid once instead of renewing: for access until the period ends (`period`), or for good (`forever`), where the
   * interval says nothing. Absent or null for a plan that renews.
   */
  once?: OncePaid | null | undefined
  /** The least that buyers can pay. They choose the amount, and the price is what is suggested. Absent or null for a fixed price. */
  floorCents?: number | null | undefined
  /** The price printed on the plan: "$10", for one seat if it is priced per seat. */
  priceText: string
  /** The price by the year, or by the month if it's paid less often: "$8.25 a month" for a yearly plan. */
  comparedText: string
  /** People who can use one subscription, including the owner; `unlimitedSeats` for any number. The minimum if it is priced per seat. */
  seats: number
  /** True if the price is for one seat. Absent otherwise. */
  perSeat?: boolean
  /** Days of the free trial. Null for the server's TRIAL_DAYS. */
  trialDays: number | null
  /** What the trial costs, once and not per seat. Absent or null for a free trial. */
  trialPriceCents?: number | null | undefined
  /** True if it is for supporters, and shown after the other plans. Absent otherwise. */
  forSupporters?: boolean
  /** Days that companies have to pay an invoice. Absent if it is paid by card alone. */
  invoiceDays?: number
  /** Kept by its members, and no longer sold. */
  isRetired: boolean
}
