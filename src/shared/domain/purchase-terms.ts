import { periodText } from './billing-interval.ts'
import { dayMs } from './durations.ts'
import { formatWholeMoney } from './format.ts'
import { type LegalSettings, withdrawalDays } from './legal.ts'
import type { PlanTerms } from './plan-terms.ts'
import { accessText } from './plan-texts.ts'
import { taxOfPlan } from './price-texts.ts'
import { formatPrice, listPrice } from './subscription-price.ts'

const renewalConsent = 'I agree that my plan renews automatically at this price until I cancel.'

/** Directive 2011/83/EU, Articles 7(3), 14(3) and 16(m): a request for immediate access, and what the buyer gives up. */
const waiverText = `I want access right away, before the ${withdrawalDays}-day withdrawal period ends. I understand that I lose the right to withdraw from what has been provided by then: if I withdraw, I’m refunded for the rest of the period.`

/** The labels of the boxes to tick before checkout. */
export const consentBoxes = ({ withdrawal }: LegalSettings, { once }: Pick<PlanTerms, 'once'>): string[] => [
  ...(once ? [] : [renewalConsent]),
  // Access for good has no rest that could be refunded.
  ...(withdrawal === 'prorated' && once !== 'forever' ? [waiverText] : []),
]

type Purchase = { plan: PlanTerms; seats?: number | null; trialDays: number }

/** The terms shown before checkout. The server stores them as shown. */
export function purchaseTerms({ plan, seats, trialDays }: Purchase): string[] {
  const price = `${formatPrice(listPrice(plan, seats ?? plan.seats))}${taxOfPlan(plan)}`
  if (plan.once) return [`${plan.name} costs ${price}, for ${accessText(plan)}. It doesn’t renew.`]
  const cost = plan.trialPriceCents
    ? `cost ${formatWholeMoney(plan.trialPriceCents, plan.currency)}${taxOfPlan(plan)}, once`
    : 'are free'
  const trial = `The first ${trialDays} days ${cost}. Then your card is charged unless you cancel first.`
  const noTrial = plan.trialPriceCents ? ['You’ve already had a trial, so you pay this price today.'] : []
  return [
    `${plan.name} costs ${price}. It renews every ${periodText(plan)} at this price until you cancel.`,
    ...(trialDays > 0 ? [trial] : noTrial),
    'You can cancel at any time under Account > Billing.',
  ]
}

/**
 * The last instant to withdraw: the end of the fourteenth day after the purchase, in the westernmost time zone. The day of
 * the purchase isn't counted (Regulation 1182/71, Article 3).
 */
export const withdrawalEnds = (boughtAt: Date): Date =>
  new Date((Math.floor(boughtAt.getTime() / dayMs) + withdrawalDays + 1.5) * dayMs)

type Paid = { amount: number; refunded: number; start: Date; end: Date }

/** What remains to be refunded of a payment: all of it, or the unused part of its period, rounded up. */
export function refundAfterWithdrawal({ amount, refunded, start, end }: Paid, at: Date, isProrated: boolean): number {
  const periodMs = end.getTime() - start.getTime()
  const leftMs = Math.min(periodMs, Math.max(0, end.getTime() - at.getTime()))
  const due = isProrated && periodMs > 0 ? Math.ceil((amount * leftMs) / periodMs) : amount
  return Math.max(0, due - refunded)
}
