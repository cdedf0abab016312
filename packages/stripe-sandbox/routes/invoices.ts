import { invalid } from '../http/errors.ts'
import { listRoute, requires } from '../http/find-objects.ts'
import { route } from '../http/route.ts'
import { type CollectOptions, cardFor, collect } from '../objects/collect-invoice.ts'
import { finalizeInvoice, isSent, markPaid, sendInvoice, stopCollecting, voidInvoice } from '../objects/invoices.ts'
import { attachCard, requireCardOf } from '../objects/payment-methods.ts'
import { settle } from '../objects/subscription-status.ts'
import { change, emit, inTimeOfCustomer, type Tx } from '../tx.ts'
import type { Customer, Invoice, InvoiceNotes, PaymentMethod, Subscription } from '../types.ts'
import { usableCard } from './payment-methods.ts'

/** @param param the parameter with the id */
const requireInvoice = requires<Invoice>('invoice')

function requireOpen(invoice: Invoice): void {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
  if (invoice.status !== 'open') {
    throw invalid(`This invoice is ${invoice.status}, it can no longer be paid.`, undefined, 'invoice_not_editable')
  }
}

/** A given card must belong to the customer. A predefined test card is attached first. */
function namedCard(tx: Tx, invoice: Invoice, id: string): PaymentMethod {
  const customer = tx.store.find<Customer>('customer', invoice.customer)
  if (!customer || !id.startsWith('pm_card_')) return requireCardOf(tx, invoice.customer, id, 'payment_method')
  return attachCard(tx, usableCard(tx, id, 'payment_method'), customer)
}

/**
 * Tries to pay an invoice now and updates its subscription. Finalizes a draft first.
 * @throws ApiError 402, which keeps the failed attempt; 400 if there is nothing to pay
 */
export function payInvoice(given: Tx, found: Invoice, options: CollectOptions = {}): Invoice {
  const tx = inTimeOfCustomer(given, found.customer)
  const invoice = found.status === 'draft' ? finalizeInvoice(tx, found) : found
  if (found.status === 'draft' && invoice.status === 'paid') {
    settle(tx, invoice)
    return invoice
  }
  requireOpen(invoice)
  if (tx.store.notes<InvoiceNotes>(invoice.id).debit) {
    const message = 'This invoice has a payment that is still processing.'
    throw invalid(message, undefined, 'payment_intent_unexpected_state')
  }
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  const method = options.method ?? cardFor(tx, subscription, tx.store.find<Customer>('customer', invoice.customer))
  const result = collect(tx, invoice, { ...options, automatic: false, method })
  settle(tx, result.invoice)
  if (result.error) throw result.error
  return requireInvoice(tx, invoice.id)
}

function payFrom(tx: Tx, id: string, params: { payment_method?: string; paid_out_of_band?: boolean }): Invoice {
  const invoice = requireInvoice(tx, id)
  if (invoice.status !== 'draft') requireOpen(invoice)
  const then = inTimeOfCustomer(tx, invoice.customer)
  if (params.paid_out_of_band) {
    const paid = markPaid(then, invoice.status === 'draft' ? finalizeInvoice(then, invoice) : invoice)
    settle(then, paid)
    return paid
  }
  const method = params.payment_method ? namedCard(then, invoice, params.payment_method) : undefined
  return payInvoice(tx, invoice, { method })
}

function uncollectible(given: Tx, invoice: Invoice): Invoice {
  const tx = inTimeOfCustomer(given, invoice.customer)
  requireOpen(invoice)
  stopCollecting(tx, invoice)
  const transitions = { ...invoice.status_transitions, marked_uncollectible_at: tx.at }
  const marked: Invoice = {
    ...invoice,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'uncollectible',
    status_transitions: transitions,
  }
  tx.store.put(marked)
  emit(tx, 'invoice.marked_uncollectible', marked)
  return marked
}

export const invoiceRoutes = [
  listRoute<{ customer?: string; subscription?: string }>('/v1/invoices', 'get_invoices', 'invoice', {
    filters: { customer: 'customer', status: 'status', subscription: 'subscription' },
    ignored: 'collection_method',
    where: ({ customer, subscription }) => (customer || subscription ? [] : ['test_clock is null']),
  }),
  route('GET', '/v1/invoices/:id', 'retrieve', '', ({ tx, id }) => requireInvoice(tx, id)),
  route<{ payment_method?: string; paid_out_of_band?: boolean }>(
    'POST',
    '/v1/invoices/:id/pay',
    'post_invoices_id_pay',
    'payment_method paid_out_of_band off_session',
    ({ tx, params, id }) => payFrom(tx, id, params),
  ),
  route<{ auto_advance?: boolean }>(
    'POST',
    '/v1/invoices/:id/finalize',
    'post_invoices_id_finalize',
    'auto_advance',
    ({ tx, params, id }) => {
      const invoice = requireInvoice(tx, id)
      const then = inTimeOfCustomer(tx, invoice.customer)
      const final = finalizeInvoice(then, { ...invoice, auto_advance: params.auto_advance ?? invoice.auto_advance })
      if (final.status === 'paid') settle(then, final)
      return final
    },
  ),
  route('POST', '/v1/invoices/:id/send', 'retrieve', '', ({ tx, id }) => {
    const invoice = requireInvoice(tx, id)
    if (!isSent(invoice))
      throw invalid('You can only manually send an invoice if its collection method is send_invoice.')
    if (invoice.status !== 'draft') requireOpen(invoice)
    return sendInvoice(inTimeOfCustomer(tx, invoice.customer), invoice)
  }),
  route('POST', '/v1/invoices/:id/void', 'retrieve', '', ({ tx, id }) => {
    const invoice = requireInvoice(tx, id)
    if (invoice.status !== 'uncollectible') requireOpen(invoice)
    const then = inTimeOfCustomer(tx, invoice.customer)
    const voided = voidInvoice(then, invoice)
    expireFirst(then, voided)
    return voided
  }),
  route('POST', '/v1/invoices/:id/mark_uncollectible', 'retrieve', '', ({ tx, id }) =>
    uncollectible(tx, requireInvoice(tx, id)),
  ),
]

/** Voiding a first invoice expires its incomplete subscription. */
function expireFirst(tx: Tx, invoice: Invoice): void {
  const subscription = tx.store.find<Subscription>('subscription', invoice.parent.subscription_details.subscription)
  if (subscription?.status !== 'incomplete' || invoice.billing_reason !== 'subscription_create') return
  const expired: Subscription = { ...subscription, ended_at: tx.at, status: 'incomplete_expired' }
  change(tx, 'customer.subscription.updated', subscription, expired)
}
