import type Stripe from 'stripe'

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
const waiting: ReadonlySet<string> = new Set(['incomplete', 'unpaid', 'paused'])

/** Live in Stripe's sense: it is charged for, or tries to be. */
export const isLive = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => live.has(status)

const rank = ({ status }: Pick<Stripe.Subscription, 'status'>) => (live.has(status) ? 0 : waiting.has(status) ? 1 : 2)

/** The one subscription that stands for the customer: live before waiting before ended, and the newest of its group. */
export function chooseSubscription<T extends Pick<Stripe.Subscription, 'status' | 'created'>>(
  subscriptions: readonly T[],
): T | null {
  return subscriptions.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)[0] ?? null
}

/**
 * Splits live subscriptions into the one that stays, which is the oldest, and the ones that were bought on top of it.
 * The list comes newest first, so of two made in the same second the later one in the list is the older.
 */
export function splitDuplicates<T extends Pick<Stripe.Subscription, 'status' | 'created'>>(
  subscriptions: readonly T[],
) {
  const [kept, ...surplus] = subscriptions
    .filter(isLive)
    .toReversed()
    .toSorted((a, b) => a.created - b.created)
  return { kept: kept ?? null, surplus }
}
