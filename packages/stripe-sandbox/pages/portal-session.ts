import type { WebResponse } from '../http/server.ts'
import { enterPortal, finishFlow, type OpenPortal } from '../objects/portal-sessions.ts'
import { ended } from '../objects/subscription-status.ts'
import { inTimeOf, type Tx } from '../tx.ts'
import type { Customer, PortalConfiguration, PortalFeatures, Subscription } from '../types.ts'
import { html, message, page, redirect } from './layout.ts'
import { csrfToken, type PageCall, readFlash, redirectWithFlash } from './router.ts'

/** The data of all portal pages. */
export type Portal = {
  /** The unit of work in the customer's time. */
  tx: Tx
  open: OpenPortal
  base: string
  csrf: string
  customer: Customer
  features: PortalFeatures
  returnUrl: string | null
  call: PageCall
}

const gone = (): WebResponse =>
  message('This portal link has expired', 'Portal links expire quickly. Go back and open the portal again.', null, 410)

/** Opens the session of the token in the path, or shows that it has expired. */
export function withPortal(call: PageCall, work: (portal: Portal) => WebResponse): WebResponse {
  const token = call.path[0] ?? ''
  const open = enterPortal(call.tx, token)
  const customer = open && call.tx.store.find<Customer>('customer', open.session.customer)
  const configuration =
    open && call.tx.store.find<PortalConfiguration>('billing_portal.configuration', open.session.configuration)
  if (!open || !customer || !configuration) return gone()
  return work({
    base: `/p/session/${token}`,
    call,
    csrf: csrfToken(call.tx.store, token),
    customer,
    features: configuration.features,
    open,
    returnUrl: open.session.return_url,
    tx: inTimeOf(call.tx, customer),
  })
}

/** Subscriptions that can be managed, oldest first. */
export const runningOf = (portal: Portal): Subscription[] =>
  portal.tx.store
    .select<Subscription>('subscription', 'customer = ?', portal.customer.id)
    .filter((each) => !ended(each))

export const findRunning = (portal: Portal, id: string): Subscription | undefined =>
  runningOf(portal).find((each) => each.id === id)

export const off = (portal: Portal): WebResponse =>
  message(
    'Not available',
    'The portal’s configuration doesn’t allow this.',
    { href: portal.base, text: 'Back to the overview' },
    404,
  )

/** The next page after an action: the overview, or the deep link's target. */
export function completed(portal: Portal, said: string): WebResponse {
  const flow = portal.open.notes.usesFlow ? portal.open.session.flow : null
  if (!flow) return redirectWithFlash(portal.tx, portal.base, { done: said })
  finishFlow(portal.tx, portal.open)
  if (flow.after_completion.redirect) return redirect(flow.after_completion.redirect.return_url)
  if (!flow.after_completion.hosted_confirmation) return redirectWithFlash(portal.tx, portal.base, { done: said })
  const custom = flow.after_completion.hosted_confirmation.custom_message
  return redirectWithFlash(portal.tx, doneAddress(portal), { done: custom ?? said })
}

const doneAddress = (portal: Portal): string => `${portal.base}/done`

/** The last page of a deep link that requested its own confirmation. */
export function donePage(portal: Portal): WebResponse {
  const { done } = readFlash(portal.call, doneAddress(portal))
  if (done === undefined) return redirect(`${portal.base}?home=1`)
  return page({
    body: html`<h1>Done</h1><p class="notice" role="status">${done}</p>${portal.returnUrl && html`<p><a class="button" href="${portal.returnUrl}">Return</a></p>`}`,
    title: 'Done',
  })
}

/** Origins that the portal's forms may redirect to. */
export const targetsOf = (portal: Portal): (string | null)[] => [
  portal.returnUrl,
  portal.open.session.flow?.after_completion.redirect?.return_url ?? null,
]
