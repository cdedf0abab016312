import type Stripe from 'stripe'
import { type BillingDeps, fromSeconds } from '../billing-deps.ts'

export type Pause = {
  /** The end of the paid period. */
  startsAt: Date
  /** Null if payments continue only when someone ends the pause. */
  endsAt: Date | null
}

/**
 * The pause of a subscription, or null. It begins with the first renewal that Stripe voided, so that reading it again
 * gives the same dates. Stripe's other behaviors keep the service open, so they aren't pauses here. The end of a pause
 * that we end ourselves is in the metadata.
 */
export async function findPause(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  { id, pause_collection: pause, items, metadata }: Stripe.Subscription,
  options: Stripe.RequestOptions = {},
): Promise<Pause | null> {
  if (pause?.behavior !== 'void') return null
  let startsAt = items.data[0]?.current_period_end ?? 0
  for await (const invoice of stripe.invoices.list({ subscription: id, limit: 100 }, options)) {
    if (invoice.status !== 'void') break
    // An invoice's own period is the one before it.
    if (invoice.billing_reason === 'subscription_cycle') startsAt = invoice.period_end
  }
  const ends = pause.resumes_at ?? Number(metadata.pause_ends_at ?? 0)
  // An end before the start was left by an earlier pause.
  return { startsAt: fromSeconds(startsAt), endsAt: ends > startsAt ? fromSeconds(ends) : null }
}

/** Ends a pause at Stripe. */
export const noPause = { pause_collection: '', metadata: { pause_ends_at: '' } } as const
