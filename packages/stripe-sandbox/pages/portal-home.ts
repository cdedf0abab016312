import { periodEnd } from '../clock/next-due-time.ts'
import type { WebResponse } from '../http/server.ts'
import { cardFor } from '../objects/collect-invoice.ts'
import type { Invoice, Price, Subscription } from '../types.ts'
import { dateTag, money, planText, priceText } from './format.ts'
import { alertBox, type Html, hiddenField, html, noticeBox, page } from './layout.ts'
import { type Portal, runningOf, targetsOf } from './portal-session.ts'
import { readFlash } from './router.ts'

const priceOf = (subscription: Subscription): Price | undefined => subscription.items.data[0]?.price

/** A subscription's status as a sentence. */
export function statusWords(subscription: Subscription): Html {
  const price = priceOf(subscription)
  const cost = price ? priceText(price, subscription.items.data[0]?.quantity ?? 1) : ''
  if (subscription.cancel_at !== null && subscription.status !== 'past_due') {
    return html`Canceled. Ends on ${dateTag(subscription.cancel_at)}.`
  }
  const { pause_collection: pause } = subscription
  if (pause && subscription.status === 'active') {
    const until = pause.resumes_at === null ? '' : html` until ${dateTag(pause.resumes_at)}`
    return html`Active. Payments are paused${until}.`
  }
  switch (subscription.status) {
    case 'active':
      return html`Active. Renews on ${dateTag(periodEnd(subscription))}, ${cost}.`
    case 'trialing':
      return html`Free trial until ${dateTag(subscription.trial_end ?? periodEnd(subscription))}, then ${cost}.`
    case 'past_due':
      return html`Past due: the last payment failed. Update the card and pay the open invoice.`
    case 'incomplete':
      return html`Incomplete: the first payment hasn’t been made. Pay the open invoice to start.`
    case 'paused':
      return html`Paused: no payments, until it’s resumed through the API.`
    default:
      return html`Unpaid: payments are no longer retried. Update the card and pay the open invoice.`
  }
}

function plans(portal: Portal, subscription: Subscription): Html | null {
  const { features, tx, base } = portal
  const switchable = ['active', 'trialing', 'past_due'].includes(subscription.status) && subscription.cancel_at === null
  if (!features.subscription_update.enabled || !switchable || subscription.items.data.length !== 1) return null
  const current = priceOf(subscription)
  const offered = features.subscription_update.products
    .flatMap((each) => each.prices)
    .flatMap((id) => tx.store.find<Price>('price', id) ?? [])
    .filter((price) => price.active && price.id !== current?.id)
  if (offered.length === 0) return null
  return html`
<h3>Switch plan</h3>
<ul class="choices">${offered.map((price) => html`<li><a href="${base}/switch/${subscription.id}/${price.id}">${planText(tx, price)}</a></li>`)}</ul>`
}

function actions(portal: Portal, subscription: Subscription): Html | null {
  const { features, base, csrf } = portal
  if (!features.subscription_cancel.enabled) return null
  if (subscription.cancel_at !== null) {
    return html`
<form method="post" action="${base}/resume" class="actions">
  ${hiddenField('csrf', csrf)}${hiddenField('subscription', subscription.id)}
  <button class="primary">Resume plan</button>
</form>`
  }
  return html`<p class="actions"><a class="button" href="${base}/cancel/${subscription.id}">Cancel plan</a></p>`
}

const subscriptionCard = (portal: Portal, subscription: Subscription): Html => html`
<section class="card" aria-labelledby="plan-${subscription.id}">
  <h2 id="plan-${subscription.id}">${priceOf(subscription) ? planText(portal.tx, priceOf(subscription) as Price) : 'Plan'}</h2>
  <p>${statusWords(subscription)}</p>
  ${subscription.pending_update && html`<p>A plan switch is waiting for its payment until ${dateTag(subscription.pending_update.expires_at)}.</p>`}
  ${plans(portal, subscription)}
  ${actions(portal, subscription)}
</section>`

function cardSection(portal: Portal, subscriptions: Subscription[]): Html | null {
  if (!portal.features.payment_method_update.enabled) return null
  const method = cardFor(portal.tx, subscriptions[0], portal.customer)
  return html`
<section class="card" aria-labelledby="card">
  <h2 id="card">Payment method</h2>
  <p>${method ? html`<span class="tag">${method.card.brand}</span> •••• ${method.card.last4}, expires ${method.card.exp_month}/${method.card.exp_year}` : 'No card is saved.'}</p>
  <p class="actions"><a class="button" href="${portal.base}/card">Update card</a></p>
</section>`
}

const invoiceAmount = (invoice: Invoice): string =>
  money(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due, invoice.currency)

function invoiceRow(portal: Portal, invoice: Invoice): Html {
  const { base, csrf } = portal
  const name = invoice.number ?? 'Draft'
  return html`
<tr>
  <td>${dateTag(invoice.created)}</td>
  <td>${invoice.hosted_invoice_url ? html`<a href="${invoice.hosted_invoice_url}">${name}</a>` : name}</td>
  <td class="number">${invoiceAmount(invoice)}</td>
  <td>${invoice.status}${
    invoice.status === 'open' &&
    html`
    <form method="post" action="${base}/pay">${hiddenField('csrf', csrf)}${hiddenField('invoice', invoice.id)}<button aria-label="Pay invoice ${name}">Pay now</button></form>`
  }</td>
</tr>`
}

function invoices(portal: Portal): Html | null {
  const all = portal.tx.store.select<Invoice>('invoice', 'customer = ?', portal.customer.id).reverse().slice(0, 24)
  const shown = portal.features.invoice_history.enabled ? all : all.filter((invoice) => invoice.status === 'open')
  if (shown.length === 0) return null
  return html`
<section class="card" aria-labelledby="invoices">
  <h2 id="invoices">Invoices</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="List of invoices">
  <table>
    <thead><tr><th scope="col">Date</th><th scope="col">Number</th><th scope="col" class="number">Amount</th><th scope="col">Status</th></tr></thead>
    <tbody>${shown.map((invoice) => invoiceRow(portal, invoice))}</tbody>
  </table>
  </div>
</section>`
}

/** The overview: plan, card and invoices, depending on the configuration. */
export function portalHome(portal: Portal): WebResponse {
  const running = runningOf(portal)
  const said = readFlash(portal.call, portal.base)
  const credit = portal.customer.balance < 0 ? -portal.customer.balance : 0
  return page({
    body: html`
<h1>Billing</h1>
<p class="muted">${portal.customer.email ?? portal.customer.name}</p>
${noticeBox(said.done ?? null)}${alertBox(said.error ?? null)}
${running.length === 0 ? html`<p class="card">No active plan.</p>` : running.map((each) => subscriptionCard(portal, each))}
${credit > 0 && html`<p class="card">Credit: ${money(credit)}. It’s applied to your next invoices.</p>`}
${cardSection(portal, running)}
${invoices(portal)}
${portal.returnUrl && html`<p><a class="button" href="${portal.returnUrl}">Return</a></p>`}`,
    formTargets: targetsOf(portal),
    title: 'Billing',
  })
}
