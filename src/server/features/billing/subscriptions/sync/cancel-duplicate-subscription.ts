import Stripe from 'stripe'
import { type BillingDeps, idOf } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'

/** Stored in Stripe's cancellation details, so that later syncs on any node recognize a canceled duplicate. */
const commentFor = (keptId: string) => `Duplicate of ${keptId}`

/**
 * Refunds all payments of a duplicate plan, renewals included, then cancels it. If the process crashes in between, the
 * subscription is still live and the next sync retries. Idempotent.
 */
export async function cancelDuplicateSubscription(
  deps: BillingDeps,
  subscription: Stripe.Subscription,
  keptId: string,
): Promise<void> {
  await refundSubscription(deps, subscription.id)
  try {
    await deps.stripe.subscriptions.cancel(subscription.id, {
      prorate: false,
      invoice_now: false,
      cancellation_details: { comment: commentFor(keptId) },
    })
  } catch (error) {
    // Another node has already canceled it.
    if (!isMissing(error)) throw error
  }
}

/** Refunds all that was paid for a subscription. Idempotent. */
export async function refundSubscription(deps: BillingDeps, id: string): Promise<void> {
  for (const paymentIntent of await paidIntents(deps, id)) await refundOnce(deps, paymentIntent)
}

/** Returns true if we canceled it as a duplicate of another subscription of the customer. */
export const wasDuplicate = (subscription: Stripe.Subscription, all: readonly Stripe.Subscription[]): boolean =>
  subscription.status === 'canceled' &&
  all.some(({ id }) => id !== subscription.id && subscription.cancellation_details?.comment === commentFor(id))

/** Total refunds of a subscription, in cents. */
export async function readRefunded(
  deps: BillingDeps,
  subscription: string,
  options: Stripe.RequestOptions,
): Promise<number> {
  let cents = 0
  for (const payment_intent of await paidIntents(deps, subscription, options)) {
    for await (const { amount } of deps.stripe.refunds.list({ payment_intent, limit: 100 }, options)) cents += amount
  }
  return cents
}

async function paidIntents(
  deps: BillingDeps,
  subscription: string,
  options: Stripe.RequestOptions = {},
): Promise<string[]> {
  const found: string[] = []
  const paid = { subscription, status: 'paid', limit: 100, expand: ['data.payments'] } as const
  const invoices = deps.stripe.invoices.list({ ...paid, expand: [...paid.expand] }, options)
  for await (const { payments } of invoices) {
    for (const { status, payment } of payments?.data ?? []) {
      const id = idOf(payment.payment_intent)
      if (status === 'paid' && id) found.push(id)
    }
  }
  return found
}

async function refundOnce(deps: BillingDeps, paymentIntent: string) {
  try {
    await deps.stripe.refunds.create(
      { payment_intent: paymentIntent, reason: 'duplicate' },
      { idempotencyKey: `refund-surplus:${paymentIntent}` },
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'charge_already_refunded') return
    throw error
  }
}
