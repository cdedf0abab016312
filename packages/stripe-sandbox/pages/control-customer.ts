import { ApiError } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import { cardFor } from '../objects/collect-invoice.ts'
import { closeDispute, disputesOf, isOpenDispute, openDispute } from '../objects/disputes.ts'
import type { CustomerNotes } from '../objects/payments.ts'
import { createPortalSession } from '../objects/portal-sessions.ts'
import { buildPrice, buildProduct, recurringEvery } from '../objects/products-and-prices.ts'
import { refundCharge } from '../objects/refunds.ts'
import { createSubscription } from '../objects/subscription-create.ts'
import { create, inTimeOf, type Tx } from '../tx.ts'
import type { Charge, Customer, Invoice, PortalConfiguration, Subscription } from '../types.ts'
import { clockOf, travel } from './control-advance-clock.ts'
import { dateTag, momentText, money, planNames } from './format.ts'
import {
  alertBox,
  controlPage,
  controlScope,
  type Html,
  hiddenField,
  html,
  message,
  noticeBox,
  redirect,
} from './layout.ts'
import { statusWords } from './portal-home.ts'
import { csrfToken, type PageCall, readFlash, redirectWithFlash } from './router.ts'

type View = { call: PageCall; customer: Customer; csrf: string; address: string }

const button = (
  { address, csrf }: View,
  name: string,
  value: string,
  text: string,
  extra: [string, string][] = [],
): Html => html`
<form method="post" action="${address}">${hiddenField('csrf', csrf)}${extra.map(([key, each]) => hiddenField(key, each))}<button name="${name}" value="${value}">${text}</button></form>`

function timeSection(view: View): Html {
  const clock = clockOf(view.call.tx, view.customer)
  const now = clock?.frozen_time ?? Math.floor(view.call.tx.wallMs / 1000)
  const going = clock?.status === 'advancing'
  return html`
<section class="card" aria-labelledby="time">
  <h2 id="time">Time</h2>
  <p>${clock ? 'Simulated time' : 'Wall clock'}: <strong>${momentText(now)}</strong>${going && html` – <span role="status">advancing…</span>`}</p>
  ${!clock && html`<p class="hint">The first time travel attaches a test clock to this customer permanently.</p>`}
  <div class="actions">
    ${button(view, 'jump', 'day', '+1 day')}
    ${button(view, 'jump', 'renewal', 'To the next renewal')}
    ${button(view, 'jump', 'month', '+1 month and 1 hour')}
  </div>
  <form method="post" action="${view.address}" class="inline actions">
    ${hiddenField('csrf', view.csrf)}
    <div class="field"><label for="to">Travel to (UTC)</label><input id="to" name="to" type="datetime-local" value="${new Date((now + 86400) * 1000).toISOString().slice(0, 16)}"></div>
    <button name="jump" value="custom">Travel</button>
  </form>
</section>`
}

function subscriptionsSection(view: View): Html {
  const {
    call: { tx },
    customer,
    address,
    csrf,
  } = view
  const all = tx.store.select<Subscription>('subscription', 'customer = ?', customer.id).reverse()
  return html`
<section class="card" aria-labelledby="subscriptions">
  <h2 id="subscriptions">Subscriptions</h2>
  ${all.length === 0 && html`<p class="muted">none</p>`}
  ${all.map((each) => html`<p><strong>${planNames(tx, each)}</strong> <span class="tag">${each.status}</span> <code>${each.id}</code><br>${['canceled', 'incomplete_expired'].includes(each.status) ? html`Ended ${dateTag(each.ended_at ?? each.created)}.` : statusWords(each)}</p>`)}
  <h3>Subscribe to another product</h3>
  <p class="hint">For accounts that sell other products too. Charges the saved card.</p>
  <form method="post" action="${address}" class="inline actions">
    ${hiddenField('csrf', csrf)}
    <div class="field"><label for="product">Product</label><input id="product" name="product" value="Coaching" required maxlength="100"></div>
    <div class="field"><label for="amount">US dollars a month</label><input id="amount" name="amount" type="number" min="1" max="9999" value="500" required></div>
    <button name="sell" value="monthly">Subscribe</button>
  </form>
</section>`
}

function nextChargeSection(view: View): Html {
  const { tx } = view.call
  const wish = tx.store.notes<CustomerNotes>(view.customer.id).nextCharge
  const card =
    cardFor(tx, undefined, view.customer) ??
    cardFor(tx, tx.store.select<Subscription>('subscription', 'customer = ?', view.customer.id).at(-1), view.customer)
  return html`
<section class="card" aria-labelledby="next">
  <h2 id="next">Card and next charge</h2>
  <p>${card ? html`${card.card.brand} •••• ${card.card.last4}` : 'No card'}. The next charge ${wish ? html`<strong>${wish}</strong>, regardless of the card` : 'depends on the card'}.</p>
  <div class="actions">
    ${button(view, 'next', 'fails', 'Next charge fails')}
    ${button(view, 'next', 'succeeds', 'Next charge succeeds')}
    ${wish ? button(view, 'next', 'card', 'Use the card’s behavior') : null}
    ${button(view, 'portal', 'open', 'Open the customer portal')}
  </div>
</section>`
}

function chargeActions(view: View, charge: Charge): Html | null {
  const [dispute] = disputesOf(view.call.tx, charge.id)
  if (dispute && isOpenDispute(dispute)) {
    return html`${button(view, 'win', dispute.id, 'Dispute won')}${button(view, 'lose', dispute.id, 'Dispute lost')}`
  }
  if (charge.status !== 'succeeded' || charge.refunded || dispute) return null
  return html`${button(view, 'refund', charge.id, 'Refund')}${button(view, 'dispute', charge.id, 'Dispute')}`
}

function chargesSection(view: View): Html {
  const charges = view.call.tx.store.select<Charge>('charge', 'customer = ?', view.customer.id).reverse().slice(0, 20)
  return html`
<section class="card" aria-labelledby="charges">
  <h2 id="charges">Charges</h2>
  ${charges.length === 0 && html`<p class="muted">none</p>`}
  ${charges.map((charge) => html`<div class="actions"><span>${dateTag(charge.created ?? 0)} ${money(charge.amount, charge.currency)} <span class="tag">${charge.disputed ? 'disputed' : charge.refunded ? 'refunded' : charge.status}</span></span>${chargeActions(view, charge)}</div>`)}
</section>`
}

function invoicesSection({ call: { tx }, customer }: View): Html {
  const all = tx.store.select<Invoice>('invoice', 'customer = ?', customer.id).reverse().slice(0, 20)
  return html`
<section class="card" aria-labelledby="invoices">
  <h2 id="invoices">Invoices</h2>
  ${all.length === 0 && html`<p class="muted">none</p>`}
  ${all.map((each) => html`<p>${dateTag(each.created)} ${each.hosted_invoice_url ? html`<a href="${each.hosted_invoice_url}">${each.number}</a>` : 'Draft'} ${money(each.total, each.currency)} <span class="tag">${each.status}</span>${each.next_payment_attempt !== null && html` next try ${dateTag(each.next_payment_attempt)}`}</p>`)}
</section>`
}

function show(view: View): WebResponse {
  const { customer, call } = view
  const { done = null, error = null } = readFlash(call, view.address)
  const going = clockOf(call.tx, customer)?.status === 'advancing'
  return controlPage({
    body: html`
<p class="muted"><code>${customer.id}</code>${customer.balance !== 0 && html`, balance ${money(customer.balance)}`}</p>
${alertBox(error)}${noticeBox(done)}
${timeSection(view)}${subscriptionsSection(view)}${nextChargeSection(view)}${chargesSection(view)}${invoicesSection(view)}
<p><a href="/sandbox/events?customer=${customer.id}">Events of this customer</a></p>`,
    current: '/sandbox',
    refresh: going ? 1 : undefined,
    title: customer.email ?? customer.name ?? 'Customer',
  })
}

function openPortal({ call: { tx }, customer, address }: View): WebResponse {
  const standard = tx.store
    .select<PortalConfiguration>('billing_portal.configuration')
    .find((each) => each.is_default && each.active)
  if (!standard) throw new ApiError(400, 'invalid_request_error', 'There’s no default portal configuration.')
  const session = createPortalSession(tx, {
    configuration: standard.id,
    customer: customer.id,
    flow: null,
    returnUrl: `${tx.publicUrl}${address}`,
  })
  return redirect(String(session.url))
}

/** Creates another product and price, and a subscription to it with the saved card. */
function sellOther(tx: Tx, customer: Customer, name: string, dollars: string): string {
  const amount = Math.round(Number(dollars) * 100)
  if (name.trim() === '' || !(amount >= 100 && amount <= 999_900)) {
    throw new ApiError(400, 'invalid_request_error', 'A product needs a name and a price of 1 to 9999 US dollars.')
  }
  const card =
    cardFor(tx, undefined, customer) ??
    cardFor(tx, tx.store.select<Subscription>('subscription', 'customer = ?', customer.id).at(-1), customer)
  const product = create(tx, 'product.created', buildProduct(tx, { name: name.trim().slice(0, 100) }))
  const input = { currency: 'usd', product: product.id, recurring: recurringEvery('month'), unitAmount: amount }
  const price = create(tx, 'price.created', buildPrice(tx, input))
  createSubscription(tx, {
    authenticated: false,
    billingMode: 'flexible',
    checkoutSession: null,
    customer,
    defaultPaymentMethod: card?.id ?? null,
    description: null,
    items: [{ metadata: {}, price, quantity: 1 }],
    metadata: {},
    missingPaymentMethod: 'create_invoice',
    paymentBehavior: 'allow_incomplete',
    redemptions: [],
    trialEnd: null,
  })
  return `The customer subscribes to ${product.name}.`
}

/** Performs a button's action and shows a message. */
function act(view: View): string {
  const { call, customer } = view
  const { tx, field } = call
  const charge = tx.store.find<Charge>('charge', field('refund') || field('dispute'))
  if (field('sell') !== '') return sellOther(inTimeOf(tx, customer), customer, field('product'), field('amount'))
  if (field('jump') !== '') travel(tx, customer.id, field('jump'), field('to'))
  if (field('next') !== '') {
    const wish = field('next')
    const nextCharge = wish === 'fails' || wish === 'succeeds' ? wish : null
    tx.store.put(customer, { ...tx.store.notes(customer.id), nextCharge })
    return 'The next charge is set.'
  }
  if (charge?.customer === customer.id && field('refund') !== '') {
    refundCharge(tx, charge, undefined, 'requested_by_customer', {})
    return 'The charge was refunded.'
  }
  if (charge?.customer === customer.id && field('dispute') !== '') {
    openDispute(tx, charge)
    return 'The charge is disputed.'
  }
  if (field('win') !== '' || field('lose') !== '') {
    closeDispute(tx, field('win') || field('lose'), field('win') !== '')
    return 'The dispute is closed.'
  }
  return ''
}

/** One customer: time travel, the bank's answers, refunds and disputes. */
export function customerPage(call: PageCall): WebResponse {
  const id = call.path[0] ?? ''
  const customer = call.tx.store.find<Customer>('customer', id)
  if (!customer)
    return message(
      'Customer not found',
      'It may have been deleted, or the sandbox was reset.',
      { href: '/sandbox', text: 'All customers' },
      404,
    )
  const view: View = {
    address: `/sandbox/customers/${id}`,
    call,
    csrf: csrfToken(call.tx.store, controlScope),
    customer,
  }
  if (call.method === 'GET') return show(view)
  try {
    if (call.field('portal') !== '') return openPortal(view)
    const done = call.tx.store.transaction(() => act(view))
    return done === '' ? redirect(view.address) : redirectWithFlash(call.tx, view.address, { done })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return redirectWithFlash(call.tx, view.address, { error: error.message })
  }
}
