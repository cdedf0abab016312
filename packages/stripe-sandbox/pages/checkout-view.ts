import { periodAt } from '../billing/billing-periods.ts'
import { taxPercent } from '../billing/taxes.ts'
import type { WebResponse } from '../http/server.ts'
import { checkoutNotes, redemptionsOf, successAddress } from '../objects/checkout-complete.ts'
import { hasTrial, priceLines, totalsOf } from '../objects/checkout-sessions.ts'
import { recurringOf } from '../objects/subscription-billing.ts'
import { inTimeOfCustomer, type Tx } from '../tx.ts'
import type { CheckoutSession, Product, PromotionCode } from '../types.ts'
import { cardFields, testCardButtons } from './card-form.ts'
import { dateTag, everyText, money } from './format.ts'
import { alertBox, type Html, hiddenField, html, page } from './layout.ts'
import { csrfToken, type Flash } from './router.ts'

const recurringLines = (tx: Tx, session: CheckoutSession) =>
  checkoutNotes(tx, session).lines.filter(({ price }) => price.recurring)

function trialText(tx: Tx, session: CheckoutSession): Html | null {
  const { trialDays, trialEnd } = checkoutNotes(tx, session)
  const lines = recurringLines(tx, session)
  const { amount_total: after } = totalsOf(
    priceLines(tx, lines, redemptionsOf(tx, session), false, session.automatic_tax.enabled),
  )
  const price = lines[0]?.price
  if (!price || (trialDays === null && trialEnd === null)) return null
  const length = trialDays === null ? html`until ${dateTag(trialEnd ?? 0)}` : html`for ${trialDays} days`
  return html`<p>${session.amount_total > 0 ? 'Trial' : 'Free'} ${length}, then ${money(after, session.currency)} ${everyText(price)}, until you cancel.</p>`
}

/** Without a price while a discount may still apply to it. */
function renewalText(tx: Tx, session: CheckoutSession): Html | null {
  const lines = recurringLines(tx, session)
  const price = lines[0]?.price
  if (!price || hasTrial(checkoutNotes(tx, session))) return null
  const { at } = session.customer ? inTimeOfCustomer(tx, session.customer) : tx
  const { amount_total: next } = totalsOf(priceLines(tx, lines, [], false, session.automatic_tax.enabled))
  const amount = session.discounts.length === 0 && html` for ${money(next, session.currency)}`
  return html`<p>Renews on ${dateTag(periodAt(at, recurringOf(price), at).end)}${amount}, then ${everyText(price).replace('per', 'every')} until you cancel.</p>`
}

/** Lists what the buyer gets, from the product's description. */
function contentsText(tx: Tx, session: CheckoutSession): Html[] {
  const products = checkoutNotes(tx, session).lines.map(({ price }) => tx.store.find<Product>('product', price.product))
  return products.flatMap((product) => (product?.description ? [html`<p>${product.description}</p>`] : []))
}

function summary(tx: Tx, session: CheckoutSession): Html {
  const { lines } = checkoutNotes(tx, session)
  const [recurring] = recurringLines(tx, session)
  const interval = recurring ? everyText(recurring.price) : null
  const { amount_discount: discount } = session.total_details
  const code = session.discounts[0]?.promotion_code
  const name = code ? tx.store.find<PromotionCode>('promotion_code', code)?.code : undefined
  return html`
<section class="card" aria-labelledby="order">
  <h2 id="order">${lines.map((line) => String(line.description)).join(', ')}</h2>
  ${contentsText(tx, session)}
  <p class="total">${money(session.amount_total, session.currency)}</p>
  <p class="muted">due today${interval && html`, billed ${interval}`}</p>
  ${trialText(tx, session)}
  ${renewalText(tx, session)}
  <dl class="sums">
    ${lines.map((line) => html`<dt>${String(line.description)} × ${line.quantity}${line.price.recurring && html`, ${everyText(line.price)}`}</dt><dd>${money(line.price.unit_amount * line.quantity, session.currency)}</dd>`)}
    ${discount > 0 && html`<dt>Discount${name && ` (${name})`}</dt><dd>−${money(discount, session.currency)}</dd>`}
    <dt>Tax${session.automatic_tax.enabled && ` (${taxPercent}% in this sandbox)`}</dt><dd>${money(session.total_details.amount_tax, session.currency)}</dd>
    <dt class="sum">Total due today</dt><dd class="sum">${money(session.amount_total, session.currency)}</dd>
  </dl>
</section>`
}

function promotionForm(session: CheckoutSession, csrf: string, state: Flash): Html | null {
  if (!session.allow_promotion_codes) return null
  const action = `/c/pay/${session.id}`
  if (session.discounts.length > 0) {
    return html`<form method="post" action="${action}">${hiddenField('csrf', csrf)}<p><button name="action" value="remove_code">Remove promotion code</button></p></form>`
  }
  return html`
<form method="post" action="${action}" class="card inline">
  ${hiddenField('csrf', csrf)}
  <div class="field">
    <label for="code">Promotion code</label>
    <input id="code" name="code" autocomplete="off" maxlength="100" value="${state.code ?? ''}"${state.wrong === 'code' && html` aria-invalid="true"`}>
  </div>
  <button name="action" value="apply_code">Apply</button>
</form>`
}

export const needsCard = (session: CheckoutSession): boolean =>
  session.payment_method_collection === 'always' || session.amount_total > 0

const payLabel = (tx: Tx, session: CheckoutSession): string =>
  `Pay ${money(session.amount_total, session.currency)}${hasTrial(checkoutNotes(tx, session)) ? ' and start trial' : ''}`

/** The page of an open session. */
export function checkoutPage(tx: Tx, session: CheckoutSession, state: Flash): WebResponse {
  const csrf = csrfToken(tx.store, session.id)
  const known = (session.customer_details?.email as string | null | undefined) ?? null
  const email = known ?? state.email ?? ''
  return page({
    body: html`
<h1>Checkout</h1>
${alertBox(state.error ?? null)}
${summary(tx, session)}
${promotionForm(session, csrf, state)}
<form method="post" action="/c/pay/${session.id}" class="card" data-once>
  ${hiddenField('csrf', csrf)}
  <h2>Payment details</h2>
  <div class="field">
    <label for="email">Email</label>
    <input id="email" name="email" type="email" maxlength="300" value="${email}"${known !== null && html` readonly`}${session.customer === null && html` required`}${state.wrong === 'email' && html` aria-invalid="true"`}>
  </div>
  ${needsCard(session) ? cardFields({ name: state.name, wrong: state.wrong }) : html`<p>No card is needed, since nothing is due.</p>`}
  <button class="primary wide" name="action" value="pay">${payLabel(tx, session)}</button>
  ${needsCard(session) && testCardButtons()}
</form>
${session.cancel_url && html`<p><a class="button" href="${session.cancel_url}">Back</a></p>`}`,
    formTargets: [session.success_url],
    title: 'Checkout',
  })
}

/** The page of a session that can no longer be paid. */
export function closedPage(session: CheckoutSession): WebResponse {
  const complete = session.status === 'complete'
  const link = complete ? successAddress(session) : session.cancel_url
  const title = complete ? 'This checkout is complete' : 'This checkout has expired'
  return page({
    body: html`
<h1>${title}</h1>
<p>${complete ? 'It’s already paid and can’t be paid again.' : 'You haven’t been charged. Go back and start again.'}</p>
${link && html`<p><a class="button primary" href="${link}">${complete ? 'Continue' : 'Back'}</a></p>`}`,
    title,
  })
}
