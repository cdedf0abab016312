import Stripe from 'stripe'
import type { BillingDeps } from './billing-deps.ts'
import { idOf } from './billing-deps.ts'
import { isMissing } from './stripe-errors.ts'

/**
 * Ends a subscription that was bought beside another live one, and gives the money back. The refund comes first: after a
 * crash in between the subscription is still live and found again, whereas an ended one would never be looked at, and
 * the money kept. Both steps may be repeated.
 */
export async function endSurplus(deps: BillingDeps, subscription: Stripe.Subscription): Promise<void> {
  for (const paymentIntent of await paidIntents(deps, idOf(subscription.latest_invoice))) {
    await refundOnce(deps, paymentIntent)
  }
  try {
    await deps.stripe.subscriptions.cancel(subscription.id, { prorate: false, invoice_now: false })
  } catch (error) {
    // Already ended by another node that saw the same two.
    if (!isMissing(error)) throw error
  }
}

async function paidIntents(deps: BillingDeps, invoiceId: string | null): Promise<string[]> {
  if (!invoiceId) return []
  const invoice = await deps.stripe.invoices.retrieve(invoiceId, { expand: ['payments'] })
  return (invoice.payments?.data ?? [])
    .filter((payment) => payment.status === 'paid')
    .map((payment) => idOf(payment.payment.payment_intent))
    .filter((id) => id !== null)
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
