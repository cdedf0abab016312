import type { cancelReasonKeys, stayOfferKinds } from '#shared/contracts/billing/billing.ts'
import { paymentsPerYear, periodText } from '#shared/domain/billing-interval.ts'
import type { PlanKey, PlanTerms } from '#shared/domain/plans.ts'
import type { SubscriptionPrice } from '#shared/domain/subscription-price.ts'

export type CancelReason = (typeof cancelReasonKeys)[number]
export type StayOfferKind = (typeof stayOfferKinds)[number]

export type FittingOffer = { kind: StayOfferKind; plan: PlanKey | null }

export type StayFacts = {
  plan: Pick<PlanTerms, 'key' | 'seats' | 'perSeat'>
  price: SubscriptionPrice
  /** The owner and the members of their team. */
  people: number
  /** Seats that they pay for, if the plan is priced per seat. Default: one. */
  seats?: number
  /** A discount applies already. */
  hasDiscount: boolean
  onSale: readonly Pick<
    PlanTerms,
    'key' | 'seats' | 'perSeat' | 'priceCents' | 'currency' | 'interval' | 'intervalCount'
  >[]
}

/** Offers that fit each reason, the best first. Nothing answers bad service but a person. */
const kindsByReason: Record<CancelReason, readonly StayOfferKind[]> = {
  too_expensive: ['cheaper_plan', 'yearly', 'discount'],
  unused: ['pause', 'cheaper_plan'],
  missing_features: ['discount'],
  low_quality: ['discount'],
  switched_service: ['discount'],
  too_complex: ['pause'],
  customer_service: [],
  other: ['pause'],
}

/** The one thing to offer a member instead of canceling for this reason, or null. */
export function fittingOffer(reason: CancelReason, facts: StayFacts): FittingOffer | null {
  for (const kind of kindsByReason[reason]) {
    const offer = offerOf(kind, facts)
    if (offer) return offer
  }
  return null
}

function offerOf(kind: StayOfferKind, facts: StayFacts): FittingOffer | null {
  const { price, hasDiscount } = facts
  const isMonthly = price.interval === 'month' && price.intervalCount === 1
  switch (kind) {
    // A yearly plan can be paused too, but months of its next year don't answer why it is canceled now.
    case 'pause':
      return isMonthly ? { kind, plan: null } : null
    case 'discount':
      return isMonthly && !hasDiscount && price.amountCents > 0 ? { kind, plan: null } : null
    case 'yearly': {
      const plan = isMonthly ? cheapestYear(facts) : undefined
      return plan ? { kind, plan: plan.key } : null
    }
    case 'cheaper_plan': {
      const plan = nextCheaper(facts)
      return plan ? { kind, plan: plan.key } : null
    }
  }
}

const suits = (facts: StayFacts) => (one: StayFacts['onSale'][number]) =>
  one.key !== facts.plan.key && one.currency === facts.price.currency && (one.perSeat || one.seats >= facts.people)

/** What the member would pay after a switch. */
const costFor = (facts: StayFacts, { perSeat, seats, priceCents }: StayFacts['onSale'][number]) =>
  perSeat ? priceCents * Math.max(seats, facts.people, facts.plan.perSeat ? (facts.seats ?? 1) : 1) : priceCents

/** The cheapest yearly plan with the same seats that costs less than twelve months at the member's own price. */
const cheapestYear = (facts: StayFacts) =>
  facts.onSale
    .filter(suits(facts))
    .filter((one) => paymentsPerYear(one) === 1 && Boolean(one.perSeat) === Boolean(facts.plan.perSeat))
    .filter(({ perSeat, seats }) => perSeat || seats === facts.plan.seats)
    .filter((one) => costFor(facts, one) < facts.price.amountCents * 12)
    .toSorted((a, b) => costFor(facts, a) - costFor(facts, b))[0]

/** The most expensive of those that cost less, so that the member gives up as little as possible. */
const nextCheaper = (facts: StayFacts) =>
  facts.onSale
    .filter(suits(facts))
    .filter((one) => periodText(one) === periodText(facts.price))
    .filter((one) => costFor(facts, one) < facts.price.amountCents)
    .toSorted((a, b) => costFor(facts, b) - costFor(facts, a))[0]
