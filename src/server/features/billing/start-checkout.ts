import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { teamSeat } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { isLive } from './choose-subscription.ts'
import { findCustomerId } from './customer.ts'
import { openPortalInsteadOfCheckout } from './customer-portal.ts'
import { type BillingUser, findOrCreateCustomer } from './ensure-customer.ts'
import { withLease } from './lease.ts'
import { expireCheckoutSessions, listOpenCheckoutSessions } from './open-checkout-sessions.ts'
import {
  createPendingCheckout,
  deletePendingCheckout,
  findPendingCheckout,
  type PendingCheckout,
  storeSessionId,
} from './pending-checkout.ts'
import { planOfPrice, productsOf } from './plan-ids.ts'
import { billsOtherProducts, planItemOf } from './plan-subscriptions.ts'
import { settleAll } from './settle-all.ts'
import { toPlanUnavailable, withStripeErrors } from './stripe-errors.ts'
import { syncCustomer } from './sync-customer.ts'
import { trialOfferMetadata } from './trial-card-usage.ts'
import { trialDaysFor } from './trial-usage.ts'
import { pushCurrentEmail } from './update-customer-email.ts'

type Buyer = BillingUser & Pick<Principal, 'sessionId' | 'email' | 'emailConfirmed'>

/**
 * Where the reader goes to buy the plan: a checkout page, or for somebody who has a subscription the portal, or our
 * billing page if others read on it. However often and from wherever it is asked, there is one customer, at most one open checkout and one subscription.
 * @throws AppError plan_unavailable, email_not_confirmed where a trial waits, stripe_unavailable; step_up_required where the portal answers
 */
export async function startCheckout(deps: BillingDeps, user: Buyer, priceId: string): Promise<{ url: string }> {
  if (!planOfPrice(deps.config, priceId)) throw new AppError('plan_unavailable')
  return withLease(deps, `billing:${user.userId}`, () =>
    withStripeErrors(deps, 'create-checkout', () => sendToPayment(deps, user, priceId)),
  )
}

/** The user's customer, and its checkouts that are open: a new customer has none, unless somebody was at it since. */
async function findStart(deps: BillingDeps, user: Buyer) {
  const { db } = deps.database
  const known = await findCustomerId(db, user.userId)
  const [{ customer, isNew }, ofKnown] = await settleAll([
    findOrCreateCustomer(deps, user),
    known ? listOpenCheckoutSessions(deps, known) : [],
  ])
  const pending = await findPendingCheckout(db, user.userId)
  if (customer.id === known) return { customer, pending, open: ofKnown }
  return { customer, pending, open: isNew && !pending ? [] : await listOpenCheckoutSessions(deps, customer.id) }
}

/**
 * Open checkouts of other prices are closed before the subscription is looked at: one that was paid a moment ago cannot
 * be closed any more and shows in that look, so no payment slips between the two.
 */
async function sendToPayment(deps: BillingDeps, user: Buyer, priceId: string) {
  const { customer, pending, open } = await findStart(deps, user)
  const isMine = ({ metadata }: Stripe.Checkout.Session) =>
    pending?.priceId === priceId && metadata?.nonce === pending.nonce && metadata.price_id === priceId
  const mine = open.find(isMine)
  const others = open.filter((session) => session !== mine)
  const [synced] = await settleAll([
    expireCheckoutSessions(deps, others).then(() => syncCustomer(deps, customer.id, { expectsNone: true })),
    // Before the page to pay on is made, which shows it.
    pushCurrentEmail(deps, user.userId, customer.email),
  ])
  if (!synced || synced.state.gone) throw new AppError('stripe_unavailable')
  const { subscription } = synced.state
  if (subscription && (isLive(subscription) || subscription.status === 'unpaid' || subscription.status === 'paused')) {
    if (mine) await expireCheckoutSessions(deps, [mine])
    if (pending) await deletePendingCheckout(deps.database.db, pending)
    if (await hasTeam(deps, user.userId, subscription)) return { url: switchPage(deps, priceId) }
    return openPortalInsteadOfCheckout(deps, user, customer.id, subscription, priceId)
  }
  if (mine?.url && pending) {
    if (!pending.sessionId) await storeSessionId(deps.database.db, pending, mine.id)
    return { url: mine.url }
  }
  if (subscription?.status === 'incomplete' && !billsOtherProducts(deps, subscription)) {
    await deps.stripe.subscriptions.cancel(subscription.id)
  }
  const trialDays = await trialDaysFor(deps, user.email, synced.row)
  // Whoever was shown free days must not be charged instead, and an address that isn't theirs must not lose its trial.
  if (trialDays > 0 && !user.emailConfirmed) throw confirmFirst(trialDays)
  return createSession(deps, user, customer.id, { priceId, trialDays })
}

/** Stripe's portal can't name the people who would lose access with the plan; our own page does. */
const switchPage = ({ config }: BillingDeps, priceId: string) =>
  `${config.publicUrl}/account/billing?switch=${planOfPrice(config, priceId)}`

/** Whether others read on this subscription now. */
async function hasTeam({ database, config }: BillingDeps, ownerId: string, subscription: Stripe.Subscription) {
  const product = idOf(planItemOf({ config }, subscription)?.price.product) ?? ''
  if (!productsOf(config).team.has(product)) return false
  const seats = await database.db
    .select({ seat: teamSeat.seat })
    .from(teamSeat)
    .where(eq(teamSeat.ownerId, ownerId))
    .limit(1)
  return seats.length > 0
}

const confirmFirst = (days: number) =>
  new AppError('email_not_confirmed', {
    status: 403,
    message: `Confirm your email address first. Then your plan starts with ${days} free days.`,
  })

type Offer = { priceId: string; trialDays: number }

async function createSession(deps: BillingDeps, { userId }: BillingUser, customerId: string, offer: Offer) {
  const { priceId, trialDays } = offer
  try {
    const pending = await createPendingCheckout(deps, userId, priceId)
    try {
      return await createWithNonce(deps, customerId, pending, trialDays)
    } catch (error) {
      // The same try with other parameters: our own address or the trial was changed in between. Nothing was made under the old
      // ones, or the list of open sessions would have shown it.
      if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
      const fresh = await createPendingCheckout(deps, userId, priceId, { fresh: true })
      return await createWithNonce(deps, customerId, fresh, trialDays)
    }
  } catch (error) {
    throw toPlanUnavailable(deps, error, priceId)
  }
}

async function createWithNonce(deps: BillingDeps, customer: string, pending: PendingCheckout, trialDays: number) {
  const { userId, priceId, nonce } = pending
  const origin = deps.config.publicUrl
  const session = await deps.stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      line_items: [{ price: priceId, quantity: 1 }],
      allow_promotion_codes: true,
      metadata: { user_id: userId, price_id: priceId, nonce },
      // A card is asked for all the same, so that the plan can begin when the trial is over.
      subscription_data: {
        metadata: { user_id: userId, ...(trialDays > 0 && trialOfferMetadata) },
        ...(trialDays > 0 && { trial_period_days: trialDays }),
      },
      // By concatenation: anything that encodes would escape the braces, which Stripe must find as they are.
      success_url: `${origin}/billing/return?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/#pricing`,
    },
    { idempotencyKey: `checkout:${userId}:${nonce}` },
  )
  if (!session.url) throw new AppError('stripe_unavailable')
  await storeSessionId(deps.database.db, pending, session.id)
  return { url: session.url }
}
