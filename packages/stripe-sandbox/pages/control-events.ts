import type { WebResponse } from '../http/server.ts'
import type { Row } from '../store/store.ts'
import type { JsonObject } from '../types.ts'
import { momentText } from './format.ts'
import { controlPage, controlScope, type Html, hiddenField, html, message, noticeBox } from './layout.ts'
import { csrfToken, type PageCall, readFlash, redirectWithFlash } from './router.ts'

const shown = 100

const deliveriesOf = (call: PageCall, event: string): Row[] =>
  call.tx.store.rows(
    `select deliveries.*, json_extract(objects.json, '$.url') as url from deliveries
     left join objects on objects.id = deliveries.endpoint where event = ? order by deliveries.id`,
    event,
  )

function stateText(delivery: Row, nowMs: number): string {
  if (delivery.state === 'delivered') return `delivered (${delivery.last_status}, ${delivery.last_ms} ms)`
  if (delivery.state === 'lost') return 'lost on the way'
  const last = delivery.last_error === null ? '' : `: ${delivery.last_error}`
  if (delivery.state === 'failed') return `given up after ${delivery.attempts} attempts${last}`
  const wait = Math.max(0, Math.ceil((Number(delivery.next_at) - nowMs) / 1000))
  return Number(delivery.attempts) === 0 ? 'waiting' : `attempt ${delivery.attempts} failed${last}; next in ${wait} s`
}

function row(call: PageCall, event: Row): Html {
  const deliveries = deliveriesOf(call, String(event.id))
  return html`
<tr>
  <td><a href="/sandbox/events/${String(event.id)}">${String(event.type)}</a></td>
  <td>${momentText(Number(event.created))}</td>
  <td>${deliveries.map((each) => html`<p>${stateText(each, call.tx.wallMs)}</p>`)}</td>
</tr>`
}

/** All events, newest first, with their delivery status. */
export function eventsPage(call: PageCall): WebResponse {
  const customer = call.field('customer')
  const type = call.field('type')
  const events = call.tx.store.rows(
    `select * from events where (? = '' or type = ?) and (? = '' or json_extract(json, '$.data.object.customer') = ?
     or json_extract(json, '$.data.object.id') = ?) order by seq desc limit ${shown}`,
    ...[type, type, customer, customer, customer],
  )
  return controlPage({
    body: html`
<form method="get" action="/sandbox/events" class="inline card" role="search">
  <div class="field"><label for="type">Type</label><input id="type" name="type" value="${type}" placeholder="invoice.paid"></div>
  <div class="field"><label for="customer">Customer ID</label><input id="customer" name="customer" value="${customer}"></div>
  <button>Filter</button>
</form>
${
  events.length === 0
    ? html`<p>No events yet.</p>`
    : html`<div class="scroll card" tabindex="0" role="region" aria-label="Events"><table>
<thead><tr><th scope="col">Event</th><th scope="col">Time</th><th scope="col">Deliveries</th></tr></thead>
<tbody>${events.map((event) => row(call, event))}</tbody></table></div>`
}`,
    current: '/sandbox/events',
    title: 'Events and webhooks',
  })
}

/** Sends an event again to all endpoints that received it. */
function resend(call: PageCall, id: string, times: number): void {
  const endpoints = new Set(deliveriesOf(call, id).map((each) => String(each.endpoint)))
  for (const endpoint of endpoints) {
    for (let time = 0; time < times; time += 1) {
      call.tx.store.run(
        'insert into deliveries (event, endpoint, attempts, next_at) values (?, ?, 1, ?)',
        id,
        endpoint,
        call.tx.wallMs,
      )
    }
  }
}

/** One event with its deliveries and their results. */
export function eventPage(call: PageCall): WebResponse {
  const id = call.path[0] ?? ''
  const event = call.tx.store.row('select * from events where id = ?', id)
  if (!event)
    return message(
      'Event not found',
      'Events are kept for 30 days.',
      { href: '/sandbox/events', text: 'All events' },
      404,
    )
  const address = `/sandbox/events/${id}`
  if (call.method === 'POST') {
    resend(call, id, call.field('resend') === 'twice' ? 2 : 1)
    return redirectWithFlash(call.tx, address, { done: 'The event was resent.' })
  }
  const csrf = csrfToken(call.tx.store, controlScope)
  return controlPage({
    body: html`
${noticeBox(readFlash(call, address).done ?? null)}
<p class="muted"><code>${id}</code>, ${momentText(Number(event.created))}</p>
<section class="card" aria-labelledby="deliveries">
  <h2 id="deliveries">Deliveries</h2>
  ${deliveriesOf(call, id).map((each) => html`<p><code>${String(each.url ?? each.endpoint)}</code><br>${stateText(each, call.tx.wallMs)}</p>`)}
  <form method="post" action="${address}" class="actions">
    ${hiddenField('csrf', csrf)}
    <button name="resend" value="once">Resend</button>
    <button name="resend" value="twice">Send twice</button>
  </form>
</section>
<section class="card" aria-labelledby="payload">
  <h2 id="payload">Payload</h2>
  <pre tabindex="0">${JSON.stringify(JSON.parse(String(event.json)) as JsonObject, null, 2)}</pre>
</section>`,
    current: '/sandbox/events',
    title: String(event.type),
  })
}
