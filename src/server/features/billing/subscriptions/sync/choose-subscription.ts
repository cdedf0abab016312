import type Stripe from 'stripe'

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due'])
const waiting: ReadonlySet<string> = new Set(['incomplete', 'unpaid', 'paused'])

/** Active, trialing or past due: Stripe charges for it or retries a payment. */
export const isLive = ({ status }: Pick<Stripe.Subscription, 'status'>): boolean => live.has(status)

const rank = ({ status }: Pick<Stripe.Subscription, 'status'>) => (live.has(status) ? 0 : waiting.has(status) ? 1 : 2)

/** Picks the customer's subscription: live before waiting before ended, newest first within each group. */
export function chooseSubscription<T extends Pick<Stripe.Subscription, 'status' | 'created'>>(
  subscriptions: readonly T[],
): T | null {
  return subscriptions.toSorted((a, b) => rank(a) - rank(b) || b.created - a.created)[0] ?? null
}

/**
 * Splits live subscriptions into the oldest, which is kept, and its duplicates. Stripe lists newest first, so of two
 * created in the same second the later one in the list is older.
 */
export function splitDuplicates<T extends Pick<Stripe.Subscription, 'status' | 'created'>>(
  subscriptions: readonly T[],
) {
  const [kept, ...duplicates] = subscriptions
    .filter(isLive)
    .toReversed()
    .toSorted((a, b) => a.created - b.created)
  return { kept: kept ?? null, duplicates }
}

/** Returns true if Stripe sends invoices to be paid by a date, instead of charging a card. */
export const isPaidByInvoice = ({
  collection_method: method,
}: Pick<Stripe.Subscription, 'collection_method'>): boolean => method === 'send_invoice'
