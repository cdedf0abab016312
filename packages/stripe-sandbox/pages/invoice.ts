import { taxPercent } from '../billing/taxes.ts'
import { ApiError } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import { bankAccounts, startDebit } from '../objects/bank-debits.ts'
import { attachCard, createCard } from '../objects/payment-methods.ts'
import { payInvoice } from '../routes/invoices.ts'
import { inTimeOf } from '../tx.ts'
import type { Customer, Invoice, InvoiceNotes, PaymentMethod } from '../types.ts'
import { cardFields, readCard, testCardButtons } from './card-form.ts'
import { dateTag, money } from './format.ts'
import {
  alertBox,
  authenticatePage,
  authenticationFailed,
  type Html,
  hiddenField,
  html,
  message,
  page,
  redirect,
} from './layout.ts'
import { csrfToken, type PageCall, type PageRoute, readFlash, redirectWithFlash } from './router.ts'

const statusTexts: { [status: string]: string } = {
  open: 'Open: not paid yet',
  paid: 'Paid',
  uncollectible: 'No longer collected',
  void: 'Void: nothing to pay',
}

const sums = (invoice: Invoice): Html => html`
<dl class="sums">
  ${invoice.lines.data.map((line) => html`<dt>${line.description}<br><span class="muted">${dateTag(line.period.start)} – ${dateTag(line.period.end)}</span></dt><dd>${money(line.amount, invoice.currency)}</dd>`)}
  ${invoice.total_discount_amounts.map((each) => html`<dt>Discount</dt><dd>−${money(each.amount, invoice.currency)}</dd>`)}
  ${invoice.total_taxes.map((tax) => html`<dt>Tax (${taxPercent}%${tax.tax_behavior === 'inclusive' && ', included'})</dt><dd>${money(tax.amount, invoice.currency)}</dd>`)}
  <dt class="sum">Total</dt><dd class="sum">${money(invoice.total, invoice.currency)}</dd>
  ${invoice.starting_balance !== 0 && html`<dt>Starting balance</dt><dd>${money(invoice.starting_balance, invoice.currency)}</dd>`}
  <dt>Amount due</dt><dd>${money(invoice.amount_due, invoice.currency)}</dd>
  <dt>Amount paid</dt><dd>${money(invoice.amount_paid, invoice.currency)}</dd>
</dl>`

function payForm({ action, csrf, invoice, isDebited }: Shown, wrong?: string): Html | null {
  if (invoice.status !== 'open') return null
  if (isDebited) return html`<p role="status"><strong>Payment processing: the bank answers in four days</strong></p>`
  return html`
<form method="post" action="${action}" class="card" data-once>
  ${hiddenField('csrf', csrf)}
  <h2>Pay this invoice</h2>
  ${cardFields({ wrong })}
  <button class="primary wide">Pay ${money(invoice.amount_due, invoice.currency)}</button>
  ${testCardButtons()}
</form>
<form method="post" action="${action}" class="card" data-once aria-label="Bank debit">
  ${hiddenField('csrf', csrf)}
  <h2>Or pay by bank debit</h2>
  ${Object.entries(bankAccounts).map(([number, { label }]) => html`<button class="wide" name="account" value="${number}">${label} …${number.slice(-4)}</button>`)}
</form>`
}

type Shown = { invoice: Invoice; action: string; csrf: string; isDebited: boolean }

function invoicePage(call: PageCall, shown: Shown): WebResponse {
  const { invoice, action } = shown
  const said = readFlash(call, action)
  return page({
    body: html`
<h1>Invoice ${invoice.number}</h1>
${alertBox(said.error ?? null)}
<section class="card" aria-label="Invoice">
  <p><strong>${statusTexts[invoice.status]}</strong></p>
  ${invoice.due_date !== null && html`<p>Due ${dateTag(invoice.due_date)}</p>`}
  <p>Billed to ${String(invoice.customer_name ?? invoice.customer_email ?? 'the customer')} on ${dateTag(invoice.status_transitions.finalized_at ?? invoice.created)}</p>
  ${invoice.custom_fields?.map(({ name, value }) => html`<p>${name}: ${value}</p>`)}
  ${invoice.customer_tax_ids.map(({ type, value }) => html`<p>Tax ID: ${value} (${type})</p>`)}
  ${sums(invoice)}
</section>
${payForm(shown, said.wrong)}`,
    title: `Invoice ${invoice.number}`,
  })
}

/** The random part of the URL makes invoices impossible to guess. */
function findInvoice({ tx, path }: PageCall): Shown | undefined {
  const [id = '', token = ''] = path
  const invoice = tx.store.find<Invoice>('invoice', id)
  const notes = tx.store.notes<InvoiceNotes>(id)
  if (!invoice || invoice.status === 'draft' || notes.token !== token) return undefined
  return { action: `/invoice/${id}/${token}`, csrf: csrfToken(tx.store, id), invoice, isDebited: Boolean(notes.debit) }
}

const unknown = (): WebResponse =>
  message('Invoice not found', 'The URL is wrong, or the sandbox was reset.', null, 404)

function payWith(call: PageCall, shown: Shown, method: PaymentMethod | undefined, authenticated: boolean): WebResponse {
  try {
    payInvoice(call.tx, shown.invoice, { authenticated, method })
    return redirect(shown.action)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.details.code === 'authentication_required' && method) return redirect(`${shown.action}/${method.id}`)
    return redirectWithFlash(call.tx, shown.action, { error: error.message, wrong: 'number' })
  }
}

function handleInvoice(call: PageCall): WebResponse {
  const shown = findInvoice(call)
  if (!shown) return unknown()
  if (call.method === 'GET') return invoicePage(call, shown)
  if (shown.invoice.status !== 'open') return redirect(shown.action)
  const account = call.field('account')
  if (account) {
    if (!shown.isDebited && Object.hasOwn(bankAccounts, account)) startDebit(call.tx, shown.invoice, account)
    return redirect(shown.action)
  }
  const reading = readCard(call.field, call.tx.wallMs)
  if (!reading.ok) return redirectWithFlash(call.tx, shown.action, { error: reading.message, wrong: reading.field })
  const customer = call.tx.store.find<Customer>('customer', shown.invoice.customer)
  if (!customer)
    return redirectWithFlash(call.tx, shown.action, { error: 'The customer of this invoice no longer exists.' })
  const tx = inTimeOf(call.tx, customer)
  try {
    const method = attachCard(tx, createCard(tx, reading.card), customer)
    return payWith(call, shown, method, false)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return redirectWithFlash(call.tx, shown.action, { error: error.message, wrong: 'number' })
  }
}

function handleConfirm(call: PageCall): WebResponse {
  const shown = findInvoice(call)
  const method = call.tx.store.find<PaymentMethod>('payment_method', call.path[2] ?? '')
  if (!shown || method?.customer !== shown.invoice.customer) return unknown()
  if (shown.invoice.status !== 'open') return redirect(shown.action)
  if (call.method === 'GET') {
    const what = `a payment of ${money(shown.invoice.amount_due, shown.invoice.currency)}`
    return authenticatePage({ action: `${shown.action}/${method.id}`, csrf: shown.csrf, targets: [], what })
  }
  return call.field('result') === 'complete'
    ? payWith(call, shown, method, true)
    : redirectWithFlash(call.tx, shown.action, { error: authenticationFailed })
}

const scope = (path: string[]): string => path[0] ?? ''

export const invoicePages: PageRoute[] = [
  { handle: handleInvoice, pattern: /^\/invoice\/(in_\w+)\/(\w+)$/, scope },
  { handle: handleConfirm, pattern: /^\/invoice\/(in_\w+)\/(\w+)\/(pm_\w+)$/, scope },
]
