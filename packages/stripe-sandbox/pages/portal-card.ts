import { declineOnSave } from '../billing/cards.ts'
import { ApiError } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import { attachCard, createCard } from '../objects/payment-methods.ts'
import { payInvoice } from '../routes/invoices.ts'
import { change } from '../tx.ts'
import type { Customer, Invoice, PaymentMethod } from '../types.ts'
import { cardFields, readCard, type TypedCard, testCardButtons } from './card-form.ts'
import { money } from './format.ts'
import { alertBox, authenticatePage, authenticationFailed, hiddenField, html, page, redirect } from './layout.ts'
import { completed, off, type Portal, runningOf, targetsOf } from './portal-session.ts'
import { type Flash, readFlash, redirectWithFlash } from './router.ts'

const formOf = (portal: Portal): string => `${portal.base}/card`

/** Returns to the card form, or to the overview if cards can't be changed. */
const refuse = (portal: Portal, said: Flash): WebResponse =>
  redirectWithFlash(portal.tx, portal.features.payment_method_update.enabled ? formOf(portal) : portal.base, said)

function cardPage(portal: Portal): WebResponse {
  const { error, name, wrong } = readFlash(portal.call, formOf(portal))
  return page({
    body: html`
<h1>Update card</h1>
${alertBox(error ?? null)}
<form method="post" action="${formOf(portal)}" class="card" data-once>
  ${hiddenField('csrf', portal.csrf)}
  ${cardFields({ name, wrong })}
  <div class="actions">
    <button class="primary">Save card</button>
    <a class="button" href="${portal.base}?home=1">Back</a>
  </div>
  ${testCardButtons()}
</form>`,
    formTargets: targetsOf(portal),
    title: 'Update card',
  })
}

/** Makes the new card the default for the customer and for all subscriptions that had their own card. */
function makeDefault(portal: Portal, method: PaymentMethod): void {
  const customer = portal.tx.store.find<Customer>('customer', portal.customer.id)
  if (!customer) return
  const settings = { ...customer.invoice_settings, default_payment_method: method.id }
  change(portal.tx, 'customer.updated', customer, { ...customer, invoice_settings: settings })
  for (const subscription of runningOf(portal)) {
    if (subscription.default_payment_method === null) continue
    change(portal.tx, 'customer.subscription.updated', subscription, {
      ...subscription,
      default_payment_method: method.id,
    })
  }
}

function save(portal: Portal, typed: TypedCard, authenticated: boolean): PaymentMethod {
  const method = createCard(portal.tx, { ...typed, authenticated, email: portal.customer.email })
  const attached = attachCard(portal.tx, method, portal.customer)
  makeDefault(portal, attached)
  return attached
}

/** Keeps a card that requires authentication unattached until the payer has authenticated. */
function waitForOwner(portal: Portal, typed: TypedCard): WebResponse {
  const method = createCard(portal.tx, typed)
  return redirect(`${portal.base}/card/${method.id}`)
}

export function updateCard(portal: Portal): WebResponse {
  if (!portal.features.payment_method_update.enabled) return off(portal)
  if (portal.call.method === 'GET') return cardPage(portal)
  const reading = readCard(portal.call.field, portal.tx.wallMs)
  if (!reading.ok) {
    return refuse(portal, { error: reading.message, name: portal.call.field('name'), wrong: reading.field })
  }
  const { behavior } = reading.card.card
  const decline = declineOnSave(behavior)
  if (decline) return refuse(portal, { error: decline.message, name: reading.card.name, wrong: 'number' })
  if (behavior === 'authenticate_once' || behavior === 'authenticate_always') return waitForOwner(portal, reading.card)
  const method = save(portal, reading.card, false)
  return completed(portal, `••••  ${method.card.last4} is now your default card.`)
}

export function confirmCard(portal: Portal): WebResponse {
  const method = portal.tx.store.find<PaymentMethod>('payment_method', portal.call.path[1] ?? '')
  if (!method || method.customer !== null || !portal.features.payment_method_update.enabled) return off(portal)
  if (portal.call.method === 'GET') {
    const action = `${portal.base}/card/${method.id}`
    return authenticatePage({
      action,
      csrf: portal.csrf,
      targets: targetsOf(portal),
      what: 'that the card may be saved',
    })
  }
  if (portal.call.field('result') !== 'complete') return refuse(portal, { error: authenticationFailed })
  portal.tx.store.put(method, { ...portal.tx.store.notes(method.id), authenticated: true })
  makeDefault(portal, attachCard(portal.tx, method, portal.customer))
  return completed(portal, `••••  ${method.card.last4} is now your default card.`)
}

const openInvoice = (portal: Portal, id: string): Invoice | undefined => {
  const invoice = portal.tx.store.find<Invoice>('invoice', id)
  return invoice?.customer === portal.customer.id && invoice.status === 'open' ? invoice : undefined
}

function payNow(portal: Portal, invoice: Invoice, authenticated: boolean): WebResponse {
  try {
    payInvoice(portal.call.tx, invoice, { authenticated })
    return completed(portal, `Invoice ${invoice.number} is paid.`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.details.code === 'authentication_required') return redirect(`${portal.base}/pay/${invoice.id}`)
    return refuse(portal, { error: `${error.message} Try another card, then pay the invoice again.` })
  }
}

/** Pays an open invoice with the saved card. */
export function payOpen(portal: Portal): WebResponse {
  const invoice = openInvoice(portal, portal.call.field('invoice'))
  if (portal.call.method === 'GET' || !invoice) return redirect(`${portal.base}?home=1`)
  return payNow(portal, invoice, false)
}

export function confirmPayment(portal: Portal): WebResponse {
  const invoice = openInvoice(portal, portal.call.path[1] ?? '')
  if (!invoice) return redirect(`${portal.base}?home=1`)
  if (portal.call.method === 'GET') {
    const what = `a payment of ${money(invoice.amount_due, invoice.currency)}`
    return authenticatePage({
      action: `${portal.base}/pay/${invoice.id}`,
      csrf: portal.csrf,
      targets: targetsOf(portal),
      what,
    })
  }
  return portal.call.field('result') === 'complete'
    ? payNow(portal, invoice, true)
    : refuse(portal, { error: authenticationFailed })
}
