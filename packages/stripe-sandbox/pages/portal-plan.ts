import { periodEnd } from '../clock/next-due-time.ts'
import { ApiError } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import { previewChange } from '../routes/invoice-preview.ts'
import { cancelNow, updateSubscription } from '../routes/update-subscription.ts'
import { change } from '../tx.ts'
import type { Price, Subscription } from '../types.ts'
import { dateTag, dateText, money, planText } from './format.ts'
import { alertBox, type Html, hiddenField, html, page } from './layout.ts'
import { completed, findRunning, off, type Portal, targetsOf } from './portal-session.ts'
import { readFlash, redirectWithFlash } from './router.ts'

const reasonTexts: { [reason: string]: string } = {
  customer_service: 'Customer service was less than expected',
  low_quality: 'Quality was less than expected',
  missing_features: 'Some features are missing',
  other: 'Other reason',
  switched_service: 'I found an alternative',
  too_complex: 'Ease of use was less than expected',
  too_expensive: "It's too expensive",
  unused: "I don't use it enough",
}

/** The update parameters of a switch, for both preview and change. */
function switchParams(portal: Portal, subscription: Subscription, price: Price) {
  return {
    items: [{ id: subscription.items.data[0]?.id, price: price.id, quantity: 1 }],
    proration_behavior: portal.features.subscription_update.proration_behavior,
  }
}

function dueText(portal: Portal, subscription: Subscription, price: Price): Html {
  const preview = previewChange(portal.tx, subscription, switchParams(portal, subscription, price))
  const lines = html`<dl class="sums">${preview.lines.data.map((line) => html`<dt>${line.description}</dt><dd>${money(line.amount)}</dd>`)}
    <dt class="sum">Total</dt><dd class="sum">${money(preview.total)}</dd></dl>`
  const now = preview.automatically_finalizes_at === null
  const today = now ? preview.amount_due : 0
  return html`
<p class="total">${money(today)}</p>
<p class="muted">due today${!now && html`; the next invoice on ${dateTag(preview.period_end)} will be ${money(preview.amount_due)}`}</p>
${lines}
${preview.total < 0 && html`<p>The rest of ${money(-preview.total)} stays as a credit for later invoices.</p>`}`
}

const switchAddress = (portal: Portal, subscription: Subscription, price: Price): string =>
  `${portal.base}/switch/${subscription.id}/${price.id}`

function switchPage(portal: Portal, subscription: Subscription, price: Price): WebResponse {
  const address = switchAddress(portal, subscription, price)
  const { error = null } = readFlash(portal.call, address)
  const trial = subscription.status === 'trialing'
  return page({
    body: html`
<h1>Switch plan</h1>
${alertBox(error)}
${error && portal.features.payment_method_update.enabled && html`<p><a href="${portal.base}/card">Update the card</a></p>`}
<section class="card">
  <h2>To ${planText(portal.tx, price)}</h2>
  ${trial ? html`<p>Your trial continues. Nothing is due today.</p>` : dueText(portal, subscription, price)}
  <form method="post" action="${address}" class="actions" data-once>
    ${hiddenField('csrf', portal.csrf)}
    <button class="primary">Confirm switch</button>
    <a class="button" href="${portal.base}?home=1">Keep current plan</a>
  </form>
</section>`,
    formTargets: targetsOf(portal),
    title: 'Switch plan',
  })
}

/** Shows the cost of a switch and makes it. A declined card changes nothing. */
export function switchPlan(portal: Portal): WebResponse {
  const [, id = '', priceId = ''] = portal.call.path
  const { subscription_update: feature } = portal.features
  const subscription = findRunning(portal, id)
  const price = portal.tx.store.find<Price>('price', priceId)
  const offered = feature.enabled && feature.products.some((each) => each.prices.includes(priceId))
  if (!subscription || !price?.active || !offered || subscription.cancel_at !== null) return off(portal)
  if (subscription.items.data[0]?.price.id === price.id) return completed(portal, 'You’re already on this plan.')
  if (portal.call.method === 'GET') return switchPage(portal, subscription, price)
  try {
    const params = { ...switchParams(portal, subscription, price), payment_behavior: 'error_if_incomplete' as const }
    portal.tx.store.transaction(() => updateSubscription(portal.tx, subscription, params))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const address = switchAddress(portal, subscription, price)
    return redirectWithFlash(portal.tx, address, { error: `${error.message} The plan has not changed.` })
  }
  return completed(portal, `The plan is now ${planText(portal.tx, price)}.`)
}

function cancelPage(portal: Portal, subscription: Subscription): WebResponse {
  const { cancellation_reason: reason, mode } = portal.features.subscription_cancel
  const end =
    subscription.status === 'trialing' ? (subscription.trial_end ?? periodEnd(subscription)) : periodEnd(subscription)
  return page({
    body: html`
<h1>Cancel plan</h1>
<form method="post" action="${portal.base}/cancel/${subscription.id}" class="card" data-once>
  ${hiddenField('csrf', portal.csrf)}
  <p>${mode === 'immediately' ? 'The plan ends immediately.' : html`The plan stays active until ${dateTag(end)} and then ends. It can be resumed until then.`}</p>
  ${
    reason.enabled &&
    reason.options.length > 0 &&
    html`<fieldset><legend>Why are you canceling? (optional)</legend>
    ${reason.options.map((option) => html`<label class="choice"><input type="radio" name="feedback" value="${option}">${reasonTexts[option] ?? option}</label>`)}
    <div class="field"><label for="comment">Anything else?</label><textarea id="comment" name="comment" rows="3" maxlength="1000"></textarea></div></fieldset>`
  }
  <div class="actions">
    <button class="danger">Cancel plan</button>
    <a class="button" href="${portal.base}?home=1">Keep plan</a>
  </div>
</form>`,
    formTargets: targetsOf(portal),
    title: 'Cancel plan',
  })
}

function cancel(portal: Portal, subscription: Subscription): string {
  const { cancellation_reason: reason, mode } = portal.features.subscription_cancel
  const feedback = portal.call.field('feedback')
  const details = {
    comment: portal.call.field('comment').trim() || undefined,
    feedback: reason.options.includes(feedback) ? feedback : undefined,
  }
  if (mode === 'immediately' || subscription.status === 'incomplete') {
    cancelNow(portal.tx, subscription, { cancellation_details: details })
    return 'The plan has ended.'
  }
  // Flexible billing sets a date instead of the flag. Applications must handle both.
  const end =
    subscription.billing_mode.type === 'flexible'
      ? { cancel_at: 'min_period_end' as const }
      : { cancel_at_period_end: true }
  const after = updateSubscription(portal.tx, subscription, { ...end, cancellation_details: details })
  return `The plan ends on ${dateText(after.cancel_at ?? 0)}.`
}

export function cancelPlan(portal: Portal): WebResponse {
  const subscription = findRunning(portal, portal.call.path[1] ?? '')
  if (!subscription || !portal.features.subscription_cancel.enabled) return off(portal)
  if (subscription.cancel_at !== null)
    return completed(portal, `The plan already ends on ${dateText(subscription.cancel_at)}.`)
  if (portal.call.method === 'GET') return cancelPage(portal, subscription)
  return completed(portal, cancel(portal, subscription))
}

/** Undoes a cancellation, made by flag or date. */
export function resumePlan(portal: Portal): WebResponse {
  const subscription = findRunning(portal, portal.call.field('subscription'))
  if (portal.call.method === 'GET' || !subscription || !portal.features.subscription_cancel.enabled) return off(portal)
  const details = { comment: null, feedback: null, feedback_option: null, reason: null }
  const resumed = {
    ...subscription,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: details,
  }
  change(portal.tx, 'customer.subscription.updated', subscription, resumed)
  return completed(portal, 'The plan continues.')
}
