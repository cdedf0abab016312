import { nextAttempt } from '../billing/dunning.ts'
import type { ApiError } from '../http/errors.ts'
import { emit, type Tx } from '../tx.ts'
import type { Customer, Invoice, PaymentMethod, Subscription } from '../types.ts'
import { markPaid } from './invoices.ts'
import { cardError } from './payment-methods.ts'
import { chargeIntent, intentOf } from './payments.ts'

export type Collected = { invoice: Invoice; error: ApiError | null }

export type CollectOptions = {
  method?: PaymentMethod | undefined
  /** The payer has just confirmed this payment. */
  authenticated?: boolean
  /** Automatic tries follow the dunning schedule; a try by hand leaves it as it is. */
  automatic?: boolean
}

/** The card that pays for a subscription: its own, else the customer's default. */
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
    // A first payment is never retried by time: it is made up for by hand or expires.
    next_payment_attempt:
      invoice.billing_reason === 'subscription_create' || !invoice.auto_advance
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
 * Tries to collect an open invoice. A refusal is not thrown but returned: the failed try is a fact to be kept.
 * The subscription is left alone, see `settle`.
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
