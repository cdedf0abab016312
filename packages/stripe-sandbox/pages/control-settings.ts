import { type Outage, outages, readOutage, saveOutage } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import { type Ending, endings, readEnding, saveEnding } from '../objects/subscription-status.ts'
import type { WebhookEndpoint } from '../types.ts'
import { losses, readDelivery, saveDelivery } from '../webhooks/queue.ts'
import { controlPage, controlScope, type Html, hiddenField, html, noticeBox } from './layout.ts'
import { csrfToken, type PageCall, readFlash, redirectWithFlash } from './router.ts'

const address = '/sandbox/settings'

const outageTexts: { [outage in Outage]: string } = {
  'answers lost': 'Process requests, then close the connection without a response',
  'connection reset': 'Close every connection',
  none: 'No outage',
  'rate limited': 'Respond with 429 to everything',
  slow: 'Respond after 5 seconds',
  unavailable: 'Respond with 503 to everything',
}

const endingTexts: { [ending in Ending]: string } = {
  canceled: 'ends',
  past_due: 'stays past due',
  unpaid: 'becomes unpaid: billed on, but not collected',
}

const choice = (name: string, value: string, text: string, chosen: boolean): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${chosen && html` checked`}>${text}</label>`

function deliveryForm(call: PageCall, csrf: string): Html {
  const delivery = readDelivery(call.tx.store)
  return html`
<form method="post" action="${address}" class="card">
  ${hiddenField('csrf', csrf)}
  <h2>Webhook delivery</h2>
  <fieldset><legend>Sending</legend>${choice('paused', 'no', 'Deliver', !delivery.paused)}${choice('paused', 'yes', 'Pause (events stay queued)', delivery.paused)}</fieldset>
  <fieldset><legend>Order</legend>${choice('order', 'in order', 'In order', delivery.order === 'in order')}${choice('order', 'shuffled', 'Shuffled', delivery.order === 'shuffled')}</fieldset>
  <fieldset><legend>Losses</legend>${choice('lose', 'nothing', 'Nothing is lost', delivery.lose === 'nothing')}${choice('lose', 'every third', 'Every third event is lost', delivery.lose === 'every third')}${choice('lose', 'everything', 'Every event is lost', delivery.lose === 'everything')}</fieldset>
  <fieldset><legend>Copies</legend>${choice('duplicate', 'no', 'Each event once', !delivery.duplicate)}${choice('duplicate', 'yes', 'Each event twice', delivery.duplicate)}</fieldset>
  <div class="field"><label for="delay">Delay in seconds</label><input id="delay" name="delay" inputmode="numeric" value="${delivery.delayMs / 1000}"></div>
  <button class="primary" name="save" value="delivery">Save delivery settings</button>
</form>`
}

function endpoints(call: PageCall): Html {
  const all = call.tx.store.select<WebhookEndpoint>('webhook_endpoint')
  return html`
<section class="card" aria-labelledby="endpoints"><h2 id="endpoints">Endpoints</h2>
${all.map((each) => html`<p><code>${each.url}</code> <span class="tag">${each.status}</span><br><span class="muted">${each.enabled_events.join(', ').slice(0, 200)}</span></p>`)}
</section>`
}

function save(call: PageCall): string {
  const { tx, field } = call
  if (field('save') === 'delivery') {
    const seconds = Number(field('delay'))
    saveDelivery(tx.store, {
      delayMs: Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 3600) * 1000 : 0,
      duplicate: field('duplicate') === 'yes',
      lose: losses.find((each) => each === field('lose')) ?? 'nothing',
      order: field('order') === 'shuffled' ? 'shuffled' : 'in order',
      paused: field('paused') === 'yes',
    })
    return 'Delivery settings saved.'
  }
  if (field('save') === 'outage') {
    saveOutage(tx.store, outages.find((each) => each === field('outage')) ?? 'none')
    return 'Outage settings saved.'
  }
  if (field('save') === 'dunning') {
    saveEnding(tx.store, endings.find((each) => each === field('ending')) ?? 'canceled')
    return 'Failed-renewal settings saved.'
  }
  if (field('save') === 'reset' && field('sure') === 'yes') {
    call.reset()
    return 'The sandbox was reset.'
  }
  return 'Nothing was changed.'
}

/** Webhook delivery, simulated outages, and reset. */
export function settingsPage(call: PageCall): WebResponse {
  if (call.method === 'POST') return redirectWithFlash(call.tx, address, { done: save(call) })
  const csrf = csrfToken(call.tx.store, controlScope)
  const outage = readOutage(call.tx.store)
  const ending = readEnding(call.tx.store)
  return controlPage({
    body: html`
${noticeBox(readFlash(call, address).done ?? null)}
${deliveryForm(call, csrf)}
<form method="post" action="${address}" class="card">
  ${hiddenField('csrf', csrf)}
  <h2>The API</h2>
  <fieldset><legend>Simulated outage</legend>${outages.map((each) => choice('outage', each, outageTexts[each], each === outage))}</fieldset>
  <button class="primary" name="save" value="outage">Save outage settings</button>
</form>
<form method="post" action="${address}" class="card">
  ${hiddenField('csrf', csrf)}
  <h2>Failed renewals</h2>
  <fieldset><legend>After the last of four attempts, the subscription</legend>${endings.map((each) => choice('ending', each, endingTexts[each], each === ending))}</fieldset>
  <button class="primary" name="save" value="dunning">Save failed-renewal settings</button>
</form>
${endpoints(call)}
<form method="post" action="${address}" class="card">
  ${hiddenField('csrf', csrf)}
  <h2>Reset</h2>
  <fieldset><legend>Delete all customers, payments and events?</legend>${choice('sure', 'no', 'No', true)}${choice('sure', 'yes', 'Yes, except the catalog', false)}</fieldset>
  <button class="danger" name="save" value="reset">Reset</button>
</form>`,
    current: '/sandbox/settings',
    title: 'Settings',
  })
}
