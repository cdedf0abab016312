/** What the local subscription row says, in Stripe's status words. */
export type SubscriptionFacts = {
  status: string
  productId: string | null
  currentPeriodStart: Date | null
  currentPeriodEnd: Date | null
  cancelAt: Date | null
  /** Creation of the oldest open invoice. */
  unpaidSince: Date | null
  /** The test clock's time, when the customer has one: it stands in for the real one. */
  testClockTime: Date | null
}

export type Entitlement = { entitled: boolean; until: Date | null; shownEnd: Date | null }

const dayMs = 24 * 60 * 60 * 1000
/** Covers the hour in which a renewal is a draft, and late webhooks. */
export const renewalSlackMs = dayMs
/** A failed renewal keeps access this long. */
export const graceMs = 7 * dayMs

const none: Entitlement = { entitled: false, until: null, shownEnd: null }
const after = (instant: Date, ms: number) => new Date(instant.getTime() + ms)

/** A test clock's customer lives in simulated time; everybody else in ours. */
const timeOf = (facts: SubscriptionFacts, now: Date) => facts.testClockTime ?? now

/**
 * What a subscription opens, computed and never stored. Every known plan opens everything; a product that we do not sell
 * opens nothing. The current period's end alone proves nothing: after a failed renewal it is already a period ahead.
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

/** Until when it is paid; null after a failed renewal, as the period that has begun is not. */
export const paidUntil = (
  facts: Pick<SubscriptionFacts, 'unpaidSince' | 'cancelAt' | 'currentPeriodEnd'>,
): Date | null => (facts.unpaidSince ? null : (facts.cancelAt ?? facts.currentPeriodEnd))

/** Everything that can open the portal for a user. */
export type AccessFacts = {
  /** The user's own subscription. */
  subscription: SubscriptionFacts | null
  /** The subscription of the team owner who gave the user a seat. */
  team: SubscriptionFacts | null
  /** End of complimentary access granted by an admin. */
  complimentaryUntil: Date | null
}

/** Product ids of the plans for sale, and of those that include team seats. */
export type Products = { known: ReadonlySet<string>; team: ReadonlySet<string> }

/** `productId` is null for complimentary access, which is no plan. */
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
    return { entitled: true, until: complimentaryUntil, shownEnd: complimentaryUntil, productId: null }
  }
  return { ...own, productId: subscription?.productId ?? null }
}

/**
 * Whether an instant at which the answer may change lies between the last look at Stripe and now: the end that is shown
 * (a renewal is due, and its news may be late) or the end of access. Simulated time moves only by looking at Stripe, so
 * there is nothing to notice for a customer on a test clock.
 */
export function boundaryPassedSince(facts: SubscriptionFacts, syncedAt: Date, now: Date): boolean {
  const window = facts.testClockTime ? null : entitledWindow(facts)
  if (!window) return false
  return [window.shownEnd, window.until].some((boundary) => syncedAt < boundary && boundary <= now)
}

function entitledWindow(facts: SubscriptionFacts): { until: Date; shownEnd: Date } | null {
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
