import type { WebResponse } from '../http/server.ts'
import type { Customer, Subscription } from '../types.ts'
import { checkoutPages } from './checkout.ts'
import { customerPage } from './control-customer.ts'
import { eventPage, eventsPage } from './control-events.ts'
import { settingsPage } from './control-settings.ts'
import { dateTag, planNames } from './format.ts'
import { invoicePages } from './invoice.ts'
import { controlPage, controlScope, type Html, html, redirect } from './layout.ts'
import { portalPages } from './portal.ts'
import type { PageCall, PageRoute } from './router.ts'

const shown = 100

function row(call: PageCall, customer: Customer): Html {
  const subscriptions = call.tx.store
    .select<Subscription>('subscription', 'customer = ?', customer.id)
    .reverse()
    .slice(0, 3)
  return html`
<tr>
  <td><a href="/sandbox/customers/${customer.id}">${customer.email ?? customer.name ?? customer.id}</a></td>
  <td>${subscriptions.length === 0 ? html`<span class="muted">none</span>` : subscriptions.map((each) => html`<p>${planNames(call.tx, each)} <span class="tag">${each.status}</span></p>`)}</td>
  <td>${dateTag(customer.created ?? 0)}</td>
  <td>${customer.test_clock ? 'simulated' : 'wall clock'}</td>
</tr>`
}

/** All customers, or those whose email contains the search text, newest first. */
function customersPage(call: PageCall): WebResponse {
  const search = call.field('q').trim()
  const found = call.tx.store
    .select<Customer>(
      'customer',
      `(? = '' or lookup like '%' || ? || '%') and seq in (select seq from objects where type = 'customer' order by seq desc limit 1000)`,
      search,
      search,
    )
    .reverse()
    .slice(0, shown)
  return controlPage({
    body: html`
<form method="get" action="/sandbox" class="inline card" role="search">
  <div class="field"><label for="q">Email contains</label><input id="q" name="q" value="${search}"></div>
  <button>Search</button>
</form>
${
  found.length === 0
    ? html`<p>No customers yet. They appear here when the application creates one.</p>`
    : html`<div class="scroll card" tabindex="0" role="region" aria-label="Customers"><table>
<thead><tr><th scope="col">Customer</th><th scope="col">Subscriptions</th><th scope="col">Since</th><th scope="col">Time</th></tr></thead>
<tbody>${found.map((customer) => row(call, customer))}</tbody></table></div>`
}`,
    current: '/sandbox',
    title: 'Customers',
  })
}

const scope = (): string => controlScope

/** The control pages, for developing and demonstrating an application. */
const controlPages: PageRoute[] = [
  { handle: () => redirect('/sandbox'), pattern: /^\/$/ },
  { handle: customersPage, pattern: /^\/sandbox$/ },
  { handle: customerPage, pattern: /^\/sandbox\/customers\/(cus_\w+)$/, scope },
  { handle: eventsPage, pattern: /^\/sandbox\/events$/ },
  { handle: eventPage, pattern: /^\/sandbox\/events\/(evt_\w+)$/, scope },
  { handle: settingsPage, pattern: /^\/sandbox\/settings$/, scope },
]

/** All pages of the sandbox. */
export const pages: readonly PageRoute[] = [...checkoutPages, ...portalPages, ...invoicePages, ...controlPages]
