import Stripe from 'stripe'
import type { BillingDeps } from './billing-deps.ts'
import { idOf } from './billing-deps.ts'
import { isMissing } from './stripe-errors.ts'

/**
 * Ends a subscription that was bought beside another live one, and gives back all that was ever paid for it: when the
 * news were lost it may have been renewed before anybody looked. The refunds come first: after a crash in between the
 * subscription is still live and found again, whereas an ended one would never be looked at, and the money kept. All
 * steps may be repeated.
 */
export async function endSurplus(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  for (const paymentIntent of await paidIntents(deps, subscription.id)) await refundOnce(deps, paymentIntent)
  try {
    await deps.stripe.subscriptions.cancel(subscription.id, { prorate: false, invoice_now: false })
  } catch (error) {
    // Already ended by another node that saw the same two.
    if (!isMissing(error)) throw error
  }
}

async function paidIntents(deps: BillingDeps, subscription: string): Promise<string[]> {
  const found: string[] = []
  const invoices = deps.stripe.invoices.list({ subscription, status: 'paid', limit: 100, expand: ['data.payments'] })
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
