import { dayMs } from './durations.ts'
import { withdrawalDays } from './legal.ts'
import type { PlanTerms } from './plan-terms.ts'
import { taxOfPlan } from './price-texts.ts'
import { formatPrice, listPrice } from './subscription-price.ts'

export const renewalConsent = 'I agree that my plan renews automatically at this price until I cancel.'

/** Directive 2011/83/EU, Articles 7(3), 14(3) and 16(m): consent to start at once, and what is lost by it. */
export const waiverText = `I want access right away, before the ${withdrawalDays} days to withdraw are over. I know that I lose the right to withdraw from what has been provided by then: if I withdraw, I get the rest of the period back.`

type Purchase = { plan: PlanTerms; seats?: number | null; trialDays: number }

/** What a buyer of a plan is told before checkout. The server keeps it as it was shown. */
export function purchaseTerms({ plan, seats, trialDays }: Purchase): string[] {
  const price = `${formatPrice(listPrice(plan, seats ?? plan.seats))}${taxOfPlan(plan)}`
  const trial = `The first ${trialDays} days are free. Then your card is charged, unless you cancel before.`
  return [
    `${plan.name} costs ${price}. It renews every ${plan.interval} at this price until you cancel.`,
    ...(trialDays > 0 ? [trial] : []),
    'You can cancel at any time under Account > Billing.',
  ]
}

/**
 * The last instant of the period: the end of the fourteenth day after the purchase, wherever on earth that is latest.
 * Regulation 1182/71, Article 3: the day of the purchase isn't counted.
 */
export const withdrawalEnds = (boughtAt: Date): Date =>
  new Date((Math.floor(boughtAt.getTime() / dayMs) + withdrawalDays + 1.5) * dayMs)

type Paid = { amount: number; refunded: number; start: Date; end: Date }

/** What is still to be refunded of a payment: all of it, or the part of its period that is left. Rounded in the buyer's favor. */
export function refundAfterWithdrawal({ amount, refunded, start, end }: Paid, at: Date, isProrated: boolean): number {
  const periodMs = end.getTime() - start.getTime()
  const leftMs = Math.min(periodMs, Math.max(0, end.getTime() - at.getTime()))
  const due = isProrated && periodMs > 0 ? Math.ceil((amount * leftMs) / periodMs) : amount
  return Math.max(0, due - refunded)
}
