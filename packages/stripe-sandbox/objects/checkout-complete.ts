import { type CardBehavior, type Decline, declineOnCharge, declineOnSave, type TestCard } from '../billing/cards.ts'
import { ApiError } from '../http/errors.ts'
import { build } from '../schema/build-object.ts'
import { newId, randomText } from '../store/ids.ts'
import { create, emit, inTimeOf, inTimeOfCustomer, type Tx } from '../tx.ts'
import type {
  ApiObject,
  CheckoutLine,
  CheckoutSession,
  Coupon,
  Customer,
  PaymentIntent,
  PromotionCode,
} from '../types.ts'
import { type CheckoutNotes, customerDetails } from './checkout-sessions.ts'
import { createCustomer } from './customers.ts'
import { couponUsable, orderOf, type Redemption, redeemPromotionCode } from './discounts.ts'
import { attachCard, cardError, createCard } from './payment-methods.ts'
import { chargeIntent, createIntent } from './payments.ts'
import { createSubscription, trialEndOf } from './subscription-create.ts'

export type Payer = { card: TestCard; expMonth: number; expYear: number; name: string; email: string }

export const checkoutNotes = (tx: Tx, session: CheckoutSession): CheckoutNotes =>
  tx.store.notes<CheckoutNotes>(session.id) as CheckoutNotes

/** The success URL, with the session id in place of the application's placeholder. */
export const successAddress = (session: CheckoutSession): string =>
  session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)

/** The bank's answer, before anything is created. */
export function expectedDecline(
  behavior: CardBehavior,
  amountDue: number,
  authenticated: boolean,
): Decline | undefined {
  if (amountDue > 0) return declineOnCharge(behavior, authenticated)
  const asks = behavior === 'authenticate_once' || behavior === 'authenticate_always'
  return asks ? declineOnCharge(behavior, authenticated) : declineOnSave(behavior)
}

function buildSetup(tx: Tx, customer: string | null, method: string, succeeded: boolean): ApiObject {
  const id = newId('seti')
  return build<ApiObject>('setup_intent', {
    id,
    client_secret: `${id}_secret_${randomText(24)}`,
    created: tx.at,
    customer,
    customer_account: null,
    flow_directions: null,
    managed_payments: null,
    metadata: {},
    payment_method: succeeded ? method : null,
    payment_method_types: ['card'],
    status: succeeded ? 'succeeded' : 'requires_payment_method',
    usage: 'off_session',
  })
}

/** Records a declined card: a failed charge or setup, and its events. The session stays open. */
export function recordDecline(given: Tx, session: CheckoutSession, payer: Payer): void {
  const customer = session.customer ? given.store.find<Customer>('customer', session.customer) : undefined
  const tx = customer ? inTimeOf(given, customer) : given
  const method = createCard(tx, payer)
  if (session.amount_total === 0) {
    create(tx, 'setup_intent.setup_failed', buildSetup(tx, session.customer, method.id, false))
    return
  }
  if (session.mode === 'payment') {
    const intent = intentOfSession(tx, session, session.customer)
    chargeIntent(tx, intent, method)
    tx.store.put({ ...session, payment_intent: intent.id }, checkoutNotes(tx, session))
    return
  }
  const { amount_total: amount, currency } = session
  const intent = createIntent(tx, {
    amount,
    currency,
    customer: session.customer,
    description: 'Subscription creation',
  })
  chargeIntent(tx, intent, method)
}

/** The payment of a session in payment mode: created by the first attempt, and tried again by the next ones. */
function intentOfSession(tx: Tx, session: CheckoutSession, customer: string | null): PaymentIntent {
  const known = session.payment_intent && tx.store.find<PaymentIntent>('payment_intent', session.payment_intent)
  if (known) return { ...known, amount: session.amount_total, customer }
  const { description, intentMetadata: metadata } = checkoutNotes(tx, session)
  const { amount_total: amount, currency } = session
  return createIntent(tx, { amount, currency, customer, description, metadata, once: true })
}

function payerOf(tx: Tx, session: CheckoutSession, payer: Payer | null): Customer {
  if (session.customer === null) {
    const email = payer?.email ?? session.customer_email
    return createCustomer(tx, { email: email || null, metadata: {}, name: payer?.name || null, testClock: null })
  }
  const customer = tx.store.find<Customer>('customer', session.customer)
  if (!customer) throw new ApiError(400, 'invalid_request_error', 'The customer of this checkout no longer exists.')
  return customer
}

export function redemptionsOf(tx: Tx, session: CheckoutSession): Redemption[] {
  return session.discounts.flatMap((each) => {
    const code = each.promotion_code
      ? (tx.store.find<PromotionCode>('promotion_code', each.promotion_code) ?? null)
      : null
    const coupon = tx.store.find<Coupon>('coupon', code?.promotion.coupon ?? each.coupon ?? '')
    return coupon ? [{ coupon, promotionCode: code }] : []
  })
}

/**
 * Why a discount of an open session can no longer be used, or null. It may have expired or been used up since it was
 * added.
 */
export function findInvalidDiscount(given: Tx, session: CheckoutSession): string | null {
  const tx = session.customer ? inTimeOfCustomer(given, session.customer) : given
  const order = orderOf(checkoutNotes(tx, session).lines)
  try {
    for (const { coupon: id, promotion_code: codeId } of session.discounts) {
      const code = codeId ? tx.store.find<PromotionCode>('promotion_code', codeId) : undefined
      if (code) redeemPromotionCode(tx, code, session.customer, order, 'code')
      const coupon = tx.store.find<Coupon>('coupon', code?.promotion.coupon ?? id ?? '')
      if (!coupon || !couponUsable(tx, coupon)) return 'This discount has expired or been used up.'
    }
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
}

/** Saves the customer's card and, if nothing is due today, emits the setup events. */
function saveCard(tx: Tx, customer: Customer, payer: Payer, dueToday: boolean, authenticated: boolean) {
  const fresh = createCard(tx, { ...payer, authenticated })
  const method = attachCard(tx, fresh, customer)
  const setup = dueToday ? null : create(tx, 'setup_intent.succeeded', buildSetup(tx, customer.id, method.id, true))
  return { method, setup }
}

/** Takes a one-time payment. A guest without `customer_creation=always` gets no customer. The card isn't kept. */
function completePayment(given: Tx, session: CheckoutSession, payer: Payer | null, authenticated: boolean) {
  const isGuest = session.customer === null && session.customer_creation === 'if_required'
  const customer = isGuest ? null : payerOf(given, session, payer)
  const tx = customer ? inTimeOf(given, customer) : given
  let intent: PaymentIntent | null = null
  if (payer && session.amount_total > 0) {
    const method = createCard(tx, { ...payer, authenticated })
    intent = intentOfSession(tx, session, customer?.id ?? null)
    const result = chargeIntent(tx, intent, method, authenticated)
    if (!result.ok) throw cardError(result.decline)
  }
  const complete: CheckoutSession = {
    ...session,
    customer: customer?.id ?? null,
    customer_details: customerDetails(customer?.email ?? payer?.email ?? null, payer?.name || (customer?.name ?? null)),
    payment_intent: intent?.id ?? null,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    status: 'complete',
    url: null,
  }
  tx.store.put(complete, { ...checkoutNotes(tx, session), waiting: null })
  emit(tx, 'checkout.session.completed', complete)
  return complete
}

const itemOf = ({ price, quantity }: CheckoutLine) => ({ metadata: {}, price, quantity })

/**
 * Completes a paid session and creates its subscription or its payment.
 * @param payer null if nothing is due and no card is required
 * @throws ApiError 402 if the bank declines; nothing has changed then
 */
export function completeCheckout(
  given: Tx,
  session: CheckoutSession,
  payer: Payer | null,
  authenticated: boolean,
): CheckoutSession {
  if (session.mode === 'payment') return completePayment(given, session, payer, authenticated)
  const customer = payerOf(given, session, payer)
  const tx = inTimeOf(given, customer)
  const notes = checkoutNotes(tx, session)
  const saved = payer ? saveCard(tx, customer, payer, session.amount_total > 0, authenticated) : null
  const subscription = createSubscription(tx, {
    authenticated,
    automaticTax: session.automatic_tax.enabled,
    billingMode: notes.billingMode,
    checkoutSession: session.id,
    customer,
    defaultPaymentMethod: saved?.method.id ?? null,
    description: notes.description,
    items: notes.lines.filter(({ price }) => price.recurring).map(itemOf),
    onceItems: notes.lines.filter(({ price }) => !price.recurring).map(itemOf),
    metadata: notes.subscriptionMetadata,
    missingPaymentMethod: notes.missingPaymentMethod,
    paymentBehavior: 'error_if_incomplete',
    redemptions: redemptionsOf(tx, session),
    trialEnd: trialEndOf(tx, notes.trialDays ?? undefined, notes.trialEnd ?? undefined),
  })
  const complete: CheckoutSession = {
    ...session,
    customer: customer.id,
    customer_details: customerDetails(customer.email ?? payer?.email ?? null, payer?.name || customer.name),
    invoice: subscription.latest_invoice,
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    setup_intent: saved?.setup?.id ?? null,
    status: 'complete',
    subscription: subscription.id,
    url: null,
  }
  tx.store.put(complete, { ...notes, waiting: null })
  emit(tx, 'checkout.session.completed', complete)
  return complete
}
