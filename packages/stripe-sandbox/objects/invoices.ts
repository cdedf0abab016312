import { day } from '../billing/billing-periods.ts'
import type { Reduction } from '../billing/discount-amounts.ts'
import { addedTax, totalTaxes } from '../billing/taxes.ts'
import { invalid } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId, randomText } from '../store/ids.ts'
import { change, create, emit, type Tx } from '../tx.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  InvoiceNotes,
  LineDiscount,
  Period,
  Subscription,
  TaxId,
} from '../types.ts'
import { addToBalance } from './customer-balance.ts'
import { buildLines, type LineSpec } from './invoice-lines.ts'
import { cancelPayment, markPaymentPaid } from './payments.ts'

/** Returns true if invoices are sent for the customer to pay, instead of charging a card. */
export const isSent = ({ collection_method: method }: Pick<Invoice, 'collection_method'>): boolean =>
  method === 'send_invoice'

export type DraftInput = {
  subscription: Subscription
  customer: Customer
  reason: Invoice['billing_reason']
  lines: LineSpec[]
  reductions: Reduction[]
  /** `period_start` and `period_end`: the previous period, while the lines are for the next one. */
  period: Period
  /** When the draft is finalized automatically; null for at once. */
  finalizesAt: number | null
}

function totalDiscounts(lines: InvoiceLine[], reductions: Reduction[]): LineDiscount[] {
  const all = lines.flatMap((line) => line.discount_amounts)
  return reductions
    .map(({ discount }) => ({
      amount: all.filter((each) => each.discount === discount).reduce((sum, each) => sum + each.amount, 0),
      discount,
    }))
    .filter((each) => each.amount > 0)
}

/** The amount due after applying the balance, in cents. A negative balance is a credit. */
function applyBalance(total: number, balance: number): { due: number; ending: number } {
  const open = total + balance
  return open < 0 ? { due: 0, ending: open } : { due: open, ending: 0 }
}

function buildInvoice(tx: Tx, input: DraftInput): Invoice {
  const { subscription, customer } = input
  const id = newId('in')
  const lines = buildLines(input.lines, input.reductions, id, subscription.id, subscription.automatic_tax.enabled)
  const discounts = totalDiscounts(lines, input.reductions)
  const subtotal = lines.reduce((all, line) => all + line.amount, 0)
  const taxes = lines.flatMap((line) => line.taxes)
  const reduced = subtotal - discounts.reduce((all, each) => all + each.amount, 0)
  const total = reduced + addedTax(taxes)
  const included = taxes.reduce((all, { amount }) => all + amount, 0) - addedTax(taxes)
  const { due } = applyBalance(total, customer.balance)
  return build<Invoice>('invoice', {
    id,
    account_country: 'US',
    account_name: 'Stripe sandbox',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: subscription.automatic_tax.enabled,
      liability: subscription.automatic_tax.liability,
      provider: subscription.automatic_tax.enabled ? 'stripe' : null,
      status: subscription.automatic_tax.enabled ? 'complete' : null,
    },
    automatically_finalizes_at: input.finalizesAt,
    billing_reason: input.reason,
    collection_method: subscription.collection_method,
    confirmation_secret: null,
    created: tx.at,
    currency: subscription.currency,
    custom_fields: customer.invoice_settings.custom_fields,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    discounts: discounts.map((each) => each.discount),
    due_date: subscription.days_until_due === null ? null : tx.at + subscription.days_until_due * day,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    lines: { object: 'list', data: lines, has_more: false, total_count: lines.length, url: `/v1/invoices/${id}/lines` },
    metadata: {},
    next_payment_attempt: isSent(subscription) ? null : input.finalizesAt,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: input.period.end,
    period_start: input.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft',
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    test_clock: customer.test_clock,
    total,
    total_discount_amounts: discounts,
    total_excluding_tax: reduced - included,
    total_pretax_credit_amounts: [],
    total_taxes: totalTaxes(taxes),
    webhooks_delivered_at: tx.at,
  })
}

/** Creates a draft. Nothing is due yet. */
export function draftInvoice(tx: Tx, input: DraftInput): Invoice {
  const notes: InvoiceNotes = { token: randomText(32) }
  return create(tx, 'invoice.created', buildInvoice(tx, input), notes)
}

/**
 * Finalizes a draft: sets its number and URL and applies the customer's balance. If nothing is due, it is paid at once.
 */
export function finalizeInvoice(tx: Tx, draft: Invoice): Invoice {
  if (draft.status !== 'draft')
    throw invalid(`This invoice is already finalized, you can't re-finalize it.`, undefined, 'invoice_not_editable')
  const customer = tx.store.find<Customer>('customer', draft.customer)
  const balance = customer?.balance ?? 0
  const { due, ending } = applyBalance(draft.total, balance)
  const sequence = customer?.next_invoice_sequence ?? 1
  if (customer) {
    tx.store.put({ ...customer, next_invoice_sequence: sequence + 1 })
    if (ending !== balance) {
      addToBalance(tx, tx.store.find<Customer>('customer', customer.id) ?? customer, {
        amount: ending - balance,
        currency: draft.currency,
        invoice: draft.id,
        type: 'applied_to_invoice',
      })
    }
  }
  const open: Invoice = {
    ...draft,
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    customer_name: customer?.name ?? null,
    customer_tax_ids: tx.store
      .select<TaxId>('tax_id', 'customer = ?', draft.customer)
      .map(({ type, value }) => ({ type, value })),
    effective_at: tx.at,
    ending_balance: ending,
    hosted_invoice_url: `${tx.publicUrl}/invoice/${draft.id}/${tx.store.notes<InvoiceNotes>(draft.id).token ?? ''}`,
    next_payment_attempt: null,
    number: `${customer?.invoice_prefix ?? 'GONE'}-${String(sequence).padStart(4, '0')}`,
    starting_balance: balance,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: tx.at },
  }
  tx.store.put(open)
  emit(tx, 'invoice.finalized', open)
  return due === 0 ? markPaid(tx, open) : open
}

export function markPaid(tx: Tx, invoice: Invoice): Invoice {
  const paid: Invoice = {
    ...invoice,
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...invoice.status_transitions, paid_at: tx.at },
  }
  tx.store.put(paid)
  markPaymentPaid(tx, paid)
  emit(tx, 'invoice.paid', paid)
  emit(tx, 'invoice.payment_succeeded', paid)
  return paid
}

/** Finalizes a draft and emails it, which the sandbox only says. */
export function sendInvoice(tx: Tx, invoice: Invoice): Invoice {
  const open = invoice.status === 'draft' ? finalizeInvoice(tx, invoice) : invoice
  if (open.status === 'open') emit(tx, 'invoice.sent', open)
  return open
}

export function voidInvoice(tx: Tx, invoice: Invoice): Invoice {
  const transitions = { ...invoice.status_transitions, voided_at: tx.at }
  const voided: Invoice = {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: transitions,
  }
  tx.store.put(voided)
  cancelPayment(tx, voided)
  emit(tx, 'invoice.voided', voided)
  return voided
}

/** Stops automatic collection. The invoice stays open. */
export function stopCollecting(tx: Tx, invoice: Invoice): void {
  const stopped: Invoice = {
    ...invoice,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  }
  change(tx, 'invoice.updated', invoice, stopped)
}

/** A subscription's invoices with a status, oldest first. */
export const invoicesOf = (tx: Tx, subscription: string, status: Invoice['status']): Invoice[] =>
  tx.store.select<Invoice>('invoice', 'subscription = ? and status = ?', subscription, status)
