import { type CardBehavior, cardByNumber, testCards } from '../billing/cards.ts'
import { ApiError } from '../http/errors.ts'
import type { WebResponse } from '../http/server.ts'
import {
  checkoutNotes,
  completeCheckout,
  expectedDecline,
  findInvalidDiscount,
  type Payer,
  recordDecline,
  successAddress,
} from '../objects/checkout-complete.ts'
import { type CheckoutNotes, discountsOf, hasTrial, priceLines, totalsOf } from '../objects/checkout-sessions.ts'
import { orderOf, type Redemption, redeemPromotionCode } from '../objects/discounts.ts'
import { findCode } from '../routes/promotion-codes.ts'
import { inTimeOfCustomer, type Tx } from '../tx.ts'
import type { CheckoutSession } from '../types.ts'
import { readCard } from './card-form.ts'
import { checkoutPage, closedPage, needsCard } from './checkout-view.ts'
import { money } from './format.ts'
import { authenticatePage, authenticationFailed, message, redirect } from './layout.ts'
import { csrfToken, type Flash, type PageCall, type PageRoute, readFlash, redirectWithFlash } from './router.ts'

const findSession = (tx: Tx, id: string): CheckoutSession | undefined =>
  tx.store.find<CheckoutSession>('checkout.session', id)

const addressOf = (session: CheckoutSession): string => `/c/pay/${session.id}`

/** Returns to the form with an error message. */
const again = (tx: Tx, session: CheckoutSession, said: Flash): WebResponse =>
  redirectWithFlash(tx, addressOf(session), said)

const unknown = (): WebResponse =>
  message('Checkout not found', 'The URL is wrong, or the sandbox was reset.', null, 404)

/** Expires an overdue session before the clock does. */
const overdue = (tx: Tx, session: CheckoutSession): boolean =>
  session.status === 'open' && session.expires_at * 1000 <= tx.wallMs

function reprice(tx: Tx, session: CheckoutSession, redemptions: Redemption[]): CheckoutSession {
  const notes = checkoutNotes(tx, session)
  const lines = priceLines(tx, notes.lines, redemptions, hasTrial(notes), session.automatic_tax.enabled)
  const after: CheckoutSession = { ...session, ...totalsOf(lines), discounts: discountsOf(redemptions) }
  tx.store.put(after, { ...notes, lines })
  return after
}

function applyCode(tx: Tx, session: CheckoutSession, text: string): WebResponse {
  const code = findCode(tx, text.trim())
  if (!session.allow_promotion_codes || !code) {
    return again(tx, session, { code: text, error: 'This promotion code is invalid.', wrong: 'code' })
  }
  const order = orderOf(checkoutNotes(tx, session).lines)
  try {
    const then = session.customer ? inTimeOfCustomer(tx, session.customer) : tx
    reprice(tx, session, [redeemPromotionCode(then, code, session.customer, order, 'code')])
    return redirect(addressOf(session))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return again(tx, session, { code: text, error: error.message, wrong: 'code' })
  }
}

/**
 * Pays, or shows the reason why it failed. The attempt is rolled back before the decline is recorded. Removes a discount
 * that is no longer valid, so that the payer sees the amount due.
 */
function pay(tx: Tx, session: CheckoutSession, payer: Payer | null, authenticated: boolean): WebResponse {
  const spoiled = findInvalidDiscount(tx, session)
  if (spoiled) {
    reprice(tx, session, [])
    const error = `${spoiled} It was removed, and you haven’t been charged.`
    return again(tx, session, { email: payer?.email, error, name: payer?.name })
  }
  try {
    return redirect(successAddress(tx.store.transaction(() => completeCheckout(tx, session, payer, authenticated))))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 402 && payer) recordDecline(tx, session, payer)
    return again(tx, session, { email: payer?.email, error: error.message, name: payer?.name })
  }
}

function rememberWaiting(tx: Tx, session: CheckoutSession, payer: Payer): WebResponse {
  const { card, ...rest } = payer
  const waiting: CheckoutNotes['waiting'] = { ...rest, behavior: card.behavior, last4: card.number.slice(-4) }
  tx.store.put(session, { ...checkoutNotes(tx, session), waiting })
  return redirect(`${addressOf(session)}/authenticate`)
}

function submit(tx: Tx, session: CheckoutSession, field: PageCall['field']): WebResponse {
  // The payer can't change an address that the application gave.
  const email = session.customer_email ?? field('email').trim()
  if (session.customer === null && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    return again(tx, session, {
      email,
      error: 'Your email is missing or incomplete.',
      name: field('name'),
      wrong: 'email',
    })
  }
  if (!needsCard(session)) return pay(tx, session, null, false)
  const reading = readCard(field, tx.wallMs)
  if (!reading.ok)
    return again(tx, session, { email, error: reading.message, name: field('name'), wrong: reading.field })
  const payer: Payer = { ...reading.card, email }
  const decline = expectedDecline(payer.card.behavior, session.amount_total, false)
  if (decline?.code === 'authentication_required') return rememberWaiting(tx, session, payer)
  if (decline) {
    recordDecline(tx, session, payer)
    return again(tx, session, { email, error: decline.message, name: payer.name, wrong: 'number' })
  }
  return pay(tx, session, payer, false)
}

function handleCheckout(call: PageCall): WebResponse {
  const { tx, method, path, field } = call
  const session = findSession(tx, path[0] ?? '')
  if (!session) return unknown()
  if (session.status === 'complete' && method === 'POST') return redirect(successAddress(session))
  if (session.status !== 'open' || overdue(tx, session)) {
    return method === 'GET' ? closedPage(session) : redirect(addressOf(session))
  }
  if (method === 'GET') return checkoutPage(tx, session, readFlash(call, addressOf(session)))
  if (field('action') === 'apply_code') return applyCode(tx, session, field('code'))
  if (field('action') === 'remove_code') {
    reprice(tx, session, [])
    return redirect(addressOf(session))
  }
  return submit(tx, session, field)
}

/** The card that awaits authentication, with a number of the same behavior. */
function waitingPayer(notes: CheckoutNotes): Payer | null {
  const { waiting } = notes
  const card =
    waiting &&
    testCards.find(
      (each) => each.behavior === (waiting.behavior as CardBehavior) && each.number.endsWith(waiting.last4),
    )
  return waiting && card
    ? {
        card: cardByNumber(card.number) ?? card,
        email: waiting.email,
        expMonth: waiting.expMonth,
        expYear: waiting.expYear,
        name: waiting.name,
      }
    : null
}

function handleAuthenticate({ tx, method, path, field }: PageCall): WebResponse {
  const session = findSession(tx, path[0] ?? '')
  if (!session) return unknown()
  if (session.status === 'complete' && method === 'POST') return redirect(successAddress(session))
  if (session.status !== 'open' || overdue(tx, session)) {
    return method === 'GET' ? closedPage(session) : redirect(addressOf(session))
  }
  const notes = checkoutNotes(tx, session)
  const payer = waitingPayer(notes)
  if (!payer) return redirect(addressOf(session))
  if (method === 'GET') {
    const what =
      session.amount_total > 0
        ? `a payment of ${money(session.amount_total, session.currency)}`
        : 'that the card may be saved'
    return authenticatePage({
      action: `${addressOf(session)}/authenticate`,
      csrf: csrfToken(tx.store, session.id),
      targets: [session.success_url],
      what,
    })
  }
  tx.store.put(session, { ...notes, waiting: null })
  if (field('result') === 'complete') return pay(tx, session, payer, true)
  recordDecline(tx, session, payer)
  return again(tx, session, { email: payer.email, error: authenticationFailed, name: payer.name })
}

const scope = (path: string[]): string => path[0] ?? ''

export const checkoutPages: PageRoute[] = [
  { handle: handleCheckout, pattern: /^\/(?:c\/pay|checkout)\/(cs_test_[A-Za-z0-9]+)$/, scope },
  { handle: handleAuthenticate, pattern: /^\/c\/pay\/(cs_test_[A-Za-z0-9]+)\/authenticate$/, scope },
]
