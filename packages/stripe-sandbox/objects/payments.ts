import { type Decline, declineOnCharge, genericDecline } from '../billing/cards.ts'
import { build } from '../schema/build-object.ts'
import { newId, randomText } from '../store/ids.ts'
import { change, create, type Tx } from '../tx.ts'
import type {
  Charge,
  Customer,
  Invoice,
  InvoicePayment,
  Json,
  Metadata,
  PaymentIntent,
  PaymentMethod,
} from '../types.ts'
import { openDispute } from './disputes.ts'
import { methodNotes } from './payment-methods.ts'

/** The bank's answer to this customer's next charge, for any card. Set on the control page. */
export type CustomerNotes = { nextCharge: 'fails' | 'succeeds' | null }

export type ChargeResult = { ok: true } | { ok: false; decline: Decline; charge: string | null }

type IntentInput = Pick<PaymentIntent, 'amount' | 'currency' | 'customer' | 'description'> & {
  metadata?: Metadata
  /** The card isn't kept for later payments. */
  once?: boolean
}

/** A payment intent that waits for a card. */
export function createIntent(tx: Tx, input: IntentInput): PaymentIntent {
  const { amount, currency, customer, description, metadata = {}, once = false } = input
  const id = newId('pi')
  const intent = build<PaymentIntent>('payment_intent', {
    id,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${randomText(24)}`,
    confirmation_method: 'automatic',
    created: tx.at,
    currency,
    customer,
    description,
    metadata,
    payment_method_options: { card: { installments: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    setup_future_usage: once ? null : 'off_session',
    status: 'requires_payment_method',
    transfer_data: null,
  })
  return create(tx, 'payment_intent.created', intent)
}

function buildCharge(tx: Tx, intent: PaymentIntent, method: PaymentMethod, decline: Decline | undefined): Charge {
  const paid = decline === undefined
  return build<Charge>('charge', {
    id: newId('ch'),
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: paid ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'STRIPE SANDBOX',
    captured: paid,
    created: tx.at,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    // Copied when the charge is made.
    metadata: intent.metadata,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: paid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.decline_code ?? null,
      risk_level: 'normal',
      seller_message: paid ? 'Payment complete.' : 'The bank did not approve the charge.',
      type: paid ? 'authorized' : 'issuer_declined',
    },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details:
      method.type === 'card'
        ? { card: method.card, type: 'card' }
        : { type: method.type, us_bank_account: method.us_bank_account },
    status: paid ? 'succeeded' : 'failed',
  })
}

/** The bank's answer. Uses up the one set on the control page. */
function askBank(tx: Tx, intent: PaymentIntent, method: PaymentMethod, authenticated: boolean): Decline | undefined {
  const customer = intent.customer ? tx.store.find<Customer>('customer', intent.customer) : undefined
  const wish = customer ? tx.store.notes<CustomerNotes>(customer.id).nextCharge : undefined
  if (customer && wish) {
    tx.store.put(customer, { ...tx.store.notes(customer.id), nextCharge: null })
    return wish === 'fails' ? genericDecline : undefined
  }
  const notes = methodNotes(tx, method.id)
  const known = notes.behavior === 'authenticate_once' && notes.authenticated
  return declineOnCharge(notes.behavior, authenticated || known)
}

/**
 * Charges a card for an intent and writes charge, intent and their events.
 * A payment that needs the payer leaves no charge and the intent in `requires_action`.
 * @param authenticated the payer has just authenticated this payment
 */
export function chargeIntent(tx: Tx, given: PaymentIntent, method: PaymentMethod, authenticated = false): ChargeResult {
  const decline = askBank(tx, given, method, authenticated)
  const intent: PaymentIntent = { ...given, payment_method: method.id, next_action: null, last_payment_error: null }
  const paymentError = decline ? { ...decline, type: 'card_error', payment_method: { ...method } } : null
  if (decline?.code === 'authentication_required') {
    const waiting = {
      ...intent,
      status: 'requires_action' as const,
      next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
    }
    tx.store.put(waiting)
    create(tx, 'payment_intent.requires_action', waiting)
    return { ok: false, decline, charge: null }
  }
  const charge = create(tx, decline ? 'charge.failed' : 'charge.succeeded', buildCharge(tx, intent, method, decline))
  if (decline) {
    const error: Json = { ...paymentError, charge: charge.id } as Json
    const failed: PaymentIntent = {
      ...intent,
      status: 'requires_payment_method',
      latest_charge: charge.id,
      last_payment_error: error,
    }
    create(tx, 'payment_intent.payment_failed', { ...failed, payment_method: null })
    return { ok: false, decline, charge: charge.id }
  }
  create(tx, 'payment_intent.succeeded', {
    ...intent,
    amount_received: intent.amount,
    latest_charge: charge.id,
    status: 'succeeded',
  })
  const { behavior } = methodNotes(tx, method.id)
  if (behavior === 'disputed') openDispute(tx, charge)
  if (behavior === 'inquired') openDispute(tx, charge, 'inquiry')
  return { ok: true }
}

/** The payments of an invoice. A finalized invoice with an amount due has one. */
export const paymentsOf = (tx: Tx, invoice: string): InvoicePayment[] =>
  tx.store.select<InvoicePayment>('invoice_payment', 'lookup = ?', invoice)

/** The invoice's payment intent, created on first use. */
export function intentOf(tx: Tx, invoice: Invoice): PaymentIntent {
  const known = paymentsOf(tx, invoice.id)[0]
  const found = known ? tx.store.find<PaymentIntent>('payment_intent', known.payment.payment_intent) : undefined
  if (found) return found
  const why = invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update'
  const { amount_due: amount, currency, customer } = invoice
  const intent = createIntent(tx, { amount, currency, customer, description: why })
  const payment = build<InvoicePayment>('invoice_payment', {
    id: newId('inpay'),
    amount_requested: invoice.amount_due,
    created: tx.at,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: 'open',
  })
  tx.store.put(payment)
  return intent
}

export function markPaymentPaid(tx: Tx, invoice: Invoice): void {
  const payment = paymentsOf(tx, invoice.id)[0]
  if (!payment) return
  const transitions = { canceled_at: null, paid_at: tx.at }
  const paid: InvoicePayment = {
    ...payment,
    amount_paid: invoice.amount_paid,
    status: 'paid',
    status_transitions: transitions,
  }
  tx.store.put(paid)
  create(tx, 'invoice_payment.paid', paid)
}

/** Cancels the open payments of an invoice that won't be paid. */
export function cancelPayment(tx: Tx, invoice: Invoice): void {
  const payment = paymentsOf(tx, invoice.id)[0]
  if (payment?.status !== 'open') return
  tx.store.put({ ...payment, status: 'canceled', status_transitions: { canceled_at: tx.at, paid_at: null } })
  const intent = tx.store.find<PaymentIntent>('payment_intent', payment.payment.payment_intent)
  if (!intent || intent.status === 'succeeded') return
  const canceled = {
    ...intent,
    status: 'canceled' as const,
    canceled_at: tx.at,
    cancellation_reason: 'void_invoice',
    next_action: null,
  }
  change(tx, 'payment_intent.canceled', intent, canceled)
}
