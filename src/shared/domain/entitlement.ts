import { dayMs } from './durations.ts'

/** The stored subscription row, with Stripe's status values. */
export type SubscriptionFacts = {
  status: string
  productId: string | null
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAt: Date | null
  /** When a pause of the payments closes access: the end of the paid period. */
  pauseStartsAt: Date | null
  /** When payments continue; null for a pause without an end. */
  pauseEndsAt: Date | null
  /** When the oldest open invoice was created. */
  unpaidSince: Date | null
  /** The time of the customer's test clock, if any. It replaces the real time. */
  testClockTime: Date | null
}

export type Entitlement = { entitled: boolean; until: Date | null; shownEnd: Date | null }

/** Covers the hour in which a renewal invoice is a draft, and late webhooks. */
export const renewalSlackMs = dayMs
/** How long access continues after a failed renewal. */
export const graceMs = 7 * dayMs

const none: Entitlement = { entitled: false, until: null, shownEnd: null }
const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

/** Customers on a test clock live in simulated time. */
const timeOf = (facts: SubscriptionFacts, now: Date) => facts.testClockTime ?? now

/**
 * The access that a subscription gives, computed and never stored. Every known plan gives full access; other products
 * give none. `currentPeriodEnd` alone isn't enough: after a failed renewal it is already one period ahead.
 */
export function entitlement(
  facts: SubscriptionFacts | null,
  now: Date,
  knownProductIds: ReadonlySet<string>,
): Entitlement {
  if (!facts?.productId || !knownProductIds.has(facts.productId)) return none
  const window = entitledWindow(facts)
  return window ? { entitled: timeOf(facts, now) < window.until, ...window } : none
}

/** Returns true if payments are paused and the paid period is over. Access returns when Stripe ends the pause. */
export const isPaused = (
  { pauseStartsAt, testClockTime }: Pick<SubscriptionFacts, 'pauseStartsAt' | 'testClockTime'>,
  now: Date,
): boolean => pauseStartsAt !== null && pauseStartsAt <= (testClockTime ?? now)

/** The end of the paid period; null after a failed renewal, because the new period isn't paid. */
export const paidUntil = (
  facts: Pick<SubscriptionFacts, 'unpaidSince' | 'cancelAt' | 'currentPeriodEnd'>,
): Date | null => (facts.unpaidSince ? null : (facts.cancelAt ?? facts.currentPeriodEnd))

/** The end of access for good, so that it compares like any other. */
export const forGood = new Date('9999-12-31T00:00:00Z')
export const isForGood = (until: Date | string | null): boolean => until !== null && new Date(until) >= forGood

/** Everything that can give a user access to the portal. */
export type AccessFacts = {
  /** The user's own subscription. */
  subscription: SubscriptionFacts | null
  /** The subscription of the team owner who gave the user a seat. */
  team: SubscriptionFacts | null
  /** End of access without a plan: granted by an admin, a gift, or paid once. `forGood` for none. */
  complimentaryUntil: Date | null
}

/** Product ids of the plans for sale, and of those that include team seats. */
export type Products = { known: ReadonlySet<string>; team: ReadonlySet<string> }

/** `productId` is null for complimentary access, which isn't a plan. */
export type Access = Entitlement & { productId: string | null }

/** The user's own plan decides first, then the team seat, then complimentary access. */
export function resolveAccess(
  { subscription, team, complimentaryUntil }: AccessFacts,
  now: Date,
  products: Products,
): Access {
  const own = entitlement(subscription, now, products.known)
  const shared = own.entitled ? none : entitlement(team, now, products.team)
  if (shared.entitled) return { ...shared, productId: team?.productId ?? null }
  if (!own.entitled && complimentaryUntil && now < complimentaryUntil) {
    const shownEnd = isForGood(complimentaryUntil) ? null : complimentaryUntil
    return { entitled: true, until: complimentaryUntil, shownEnd, productId: null }
  }
  return { ...own, productId: subscription?.productId ?? null }
}

/**
 * True if the end of the period or of access has passed since the last customer sync, so that the stored row may be
 * outdated. Always false on a test clock, because its time only advances through a sync.
 */
export function boundaryPassedSince(facts: SubscriptionFacts, syncedAt: Date, now: Date): boolean {
  const window = facts.testClockTime ? null : entitledWindow(facts)
  if (!window) return false
  return [window.shownEnd, window.until, facts.pauseEndsAt].some(
    (boundary) => boundary !== null && syncedAt < boundary && boundary <= now,
  )
}

type Window = { until: Date; shownEnd: Date }

const earlier = (one: Date, other: Date) => (one < other ? one : other)

function entitledWindow(facts: SubscriptionFacts): Window | null {
  const window = unpausedWindow(facts)
  const { pauseStartsAt: pause } = facts
  if (!window || !pause) return window
  return { until: earlier(window.until, pause), shownEnd: earlier(window.shownEnd, pause) }
}

function unpausedWindow(facts: SubscriptionFacts): Window | null {
  switch (facts.status) {
    case 'active':
    case 'trialing': {
      const end = facts.cancelAt ?? facts.currentPeriodEnd
      if (!end) return null
      return { until: facts.cancelAt ? end : after(end, renewalSlackMs), shownEnd: end }
    }
    case 'past_due': {
      const since = facts.unpaidSince ?? facts.currentPeriodStart
      if (!since) return null
      const end = after(since, graceMs)
      return { until: end, shownEnd: end }
    }
    default:
      return null
  }
}
