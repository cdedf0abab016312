import { nextAttempt } from '../billing/billing-periods.ts'
import type { ApiError } from '../http/errors.ts'
import { emit, type Tx } from '../tx.ts'
import type { Customer, Invoice, PaymentMethod, Subscription } from '../types.ts'
import { isSent, markPaid } from './invoices.ts'
import { cardError } from './payment-methods.ts'
import { chargeIntent, intentOf } from './payments.ts'

export type Collected = { invoice: Invoice; error: ApiError | null }

export type CollectOptions = {
  method?: PaymentMethod | undefined
  /** The payer has just authenticated this payment. */
  authenticated?: boolean
  /** Automatic attempts follow the dunning schedule. Manual attempts don't change it. */
  automatic?: boolean
}

/** The subscription's card, or else the customer's default card. */
export function cardFor(
  tx: Tx,
  subscription: Subscription | undefined,
  customer: Customer | undefined,
): PaymentMethod | undefined {
  const id = subscription?.default_payment_method ?? customer?.invoice_settings.default_payment_method
  return id ? tx.store.find<PaymentMethod>('payment_method', id) : undefined
}

const noCard = {
  code: 'resource_missing',
  decline_code: 'generic_decline',
  message: 'This customer has no payment method to charge.',
}

function recordFailure(tx: Tx, invoice: Invoice, needsAction: boolean, automatic: boolean): Invoice {
  const attempts = automatic ? invoice.attempt_count + 1 : invoice.attempt_count
  const first = invoice.attempt_count === 0
  const failed: Invoice = {
    ...invoice,
    attempt_count: Math.max(attempts, 1),
    attempted: true,
    // A first payment isn't retried automatically. It is paid by hand or expires.
    next_payment_attempt:
      invoice.billing_reason === 'subscription_create' || isSent(invoice) || !invoice.auto_advance
        ? null
        : automatic || first
          ? nextAttempt(Math.max(attempts, 1), tx.at)
          : invoice.next_payment_attempt,
  }
  tx.store.put(failed)
  emit(tx, 'invoice.payment_failed', failed)
  if (needsAction) emit(tx, 'invoice.payment_action_required', failed)
  return failed
}

/**
 * Tries to collect an open invoice. Returns a decline instead of throwing it, so that the failed attempt is kept.
 * Doesn't update the subscription, see `settle`.
 */
export function collect(tx: Tx, invoice: Invoice, options: CollectOptions = {}): Collected {
  if (invoice.status !== 'open') return { invoice, error: null }
  const automatic = options.automatic ?? true
  if (!options.method) {
    const failed = recordFailure(tx, invoice, false, automatic)
    return { invoice: failed, error: cardError(noCard, {}, true) }
  }
  const intent = intentOf(tx, invoice)
  const result = chargeIntent(tx, intent, options.method, options.authenticated)
  if (result.ok) return { invoice: markPaid(tx, { ...invoice, attempt_count: invoice.attempt_count + 1 }), error: null }
  const failed = recordFailure(tx, invoice, result.decline.code === 'authentication_required', automatic)
  return { invoice: failed, error: cardError(result.decline, result.charge ? { charge: result.charge } : {}, true) }
}
