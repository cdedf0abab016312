import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { teamSeat } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { TaxSettings } from '#shared/contracts/billing/admin-plans.ts'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { maxPlanPrice, problemOfAmount } from '#shared/domain/plan-problem.ts'
import { findPlan, type PlanKey, type PlanTerms, planOf } from '#shared/domain/plans.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { type BillingUser, findOrCreateCustomer, pushCurrentEmail } from '../customers/ensure-customer.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import {
  type CheckoutOffer,
  findCheckoutOffer,
  requireUsableOffer,
  toOfferUnavailable,
} from '../offers/refresh-offers.ts'
import { openPortalInsteadOfCheckout } from '../plan-changes/customer-portal.ts'
import { ensureAtStripe, ensureTrialAtStripe } from '../stripe/plan-at-stripe.ts'
import { planOfPrice, productIdOf, productsOf } from '../stripe/plan-ids.ts'
import { toCurrencyConflict, toPlanUnavailable, withStripeErrors } from '../stripe/stripe-errors.ts'
import { isLive } from '../sync/choose-subscription.ts'
import { withLease } from '../sync/lease.ts'
import { billsOtherProducts, planItemOf, planOfStripePrice, planProductOf } from '../sync/plan-subscriptions.ts'
import { settleAll } from '../sync/settle-all.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { readTaxSettings } from '../tax-settings.ts'
import { expireCheckoutSessions, expireOneTimeCheckouts, listOpenCheckoutSessions } from './open-checkout-sessions.ts'
import {
  createPendingCheckout,
  deletePendingCheckout,
  findPendingCheckout,
  type PendingCheckout,
  storeSessionId,
} from './pending-checkout.ts'
import { type Consent, recordConsent, requireConsent } from './purchase-consent.ts'
import { trialDaysFor } from './trial-usage.ts'
import { trialOfferMetadata } from './trial-usage-of-cards.ts'

type Buyer = BillingUser & Pick<Principal, 'sessionId' | 'email' | 'emailConfirmed'>

/**
 * Returns a checkout URL, shared by concurrent calls. Subscribers get the portal, or our billing page if they have a team.
 * @param offerCode from an offer link, for visitors without a plan
 * @param seats for a plan that is priced per seat; default: its minimum, or enough for a team that the user still has
 * @throws AppError plan_unavailable, offer_unavailable, offer_for_new_customers, stripe_unavailable, email_not_confirmed
 * before a trial, validation_failed for too few seats, consent_required, step_up_required for the portal
 */
export async function startCheckout(
  deps: BillingDeps,
  user: Buyer,
  priceId: string,
  {
    offerCode,
    seats,
    amountCents,
    agreed = null,
  }: { offerCode?: string | null; seats?: number | null; amountCents?: number | null; agreed?: string | null } = {},
): Promise<{ url: string }> {
  const plan = planOfPrice(deps.config, priceId)
  if (!plan) throw new AppError('plan_unavailable')
  const terms = planOf(deps.config.settings.publication, plan)
  const amount = amountCents ?? terms.priceCents
  const problem = amount === terms.priceCents ? null : problemOfAmount(terms, amount)
  if (problem || (amount !== terms.priceCents && !terms.floorCents)) {
    throw new AppError('validation_failed', { message: problem ?? 'This plan has a fixed price.' })
  }
  return withLease(deps, `billing:${user.userId}`, () =>
    withStripeErrors(deps, 'create-checkout', async () =>
      chooseDestination(deps, user, {
        priceId: await priceForAmount(deps, priceId, terms, amount),
        plan,
        amount,
        agreed,
        offer: terms.floorCents ? null : await findCheckoutOffer(deps, offerCode, plan),
        tax: (await readTaxSettings(deps.database.db)).settings,
        quantity: await quantityOf(deps, user.userId, plan, seats),
      }),
    ),
  )
}

/** The price at Stripe of an amount that the buyer chose. Someone else who chooses the same gets the same. */
export const priceForAmount = async (
  deps: BillingDeps,
  listedId: string,
  { intervalCount = 1, ...plan }: PlanTerms,
  priceCents: number,
): Promise<string> => {
  if (priceCents === plan.priceCents) return listedId
  const productId = productIdOf(deps.config, plan.key)
  return (await ensureAtStripe(deps, { ...plan, intervalCount, priceCents, productId })).priceId
}

type Wanted = {
  priceId: string
  amount: number
  plan: PlanKey
  agreed: string | null
  offer: CheckoutOffer | null
  quantity: number
  tax: TaxSettings
}

/** @throws AppError validation_failed for fewer seats than the plan's minimum, or than the user's team has people */
export async function quantityOf(
  { database, config }: BillingDeps,
  userId: string,
  key: PlanKey,
  seats?: number | null,
) {
  const { name, perSeat, seats: min, priceCents } = planOf(config.settings.publication, key)
  if (!perSeat) return 1
  const people = 1 + (await database.db.$count(teamSeat, eq(teamSeat.ownerId, userId)))
  const quantity = seats ?? Math.max(min, people)
  if (quantity < min) {
    throw new AppError('validation_failed', { message: `${name} has at least ${min} seats. Choose ${min} or more.` })
  }
  if (quantity < people) {
    throw new AppError('validation_failed', {
      message: `Your team has ${people} people. Choose at least ${people} seats, or remove members first.`,
    })
  }
  if (quantity * priceCents > maxPlanPrice) {
    throw new AppError('validation_failed', { message: 'That’s more than can be paid at once. Choose fewer seats.' })
  }
  return quantity
}

/** The user's customer with its pending checkout and open sessions. Skips listing the sessions of a new customer. */
async function prepareCheckout(deps: BillingDeps, user: Buyer) {
  const { db } = deps.database
  const known = await findCustomerId(db, user.userId)
  const [{ customer, isNew }, openOfKnown] = await settleAll([
    findOrCreateCustomer(deps, user),
    known ? listOpenCheckoutSessions(deps, known) : [],
  ])
  const pending = await findPendingCheckout(db, user.userId)
  if (customer.id === known) return { customer, pending, open: openOfKnown }
  return { customer, pending, open: isNew && !pending ? [] : await listOpenCheckoutSessions(deps, customer.id) }
}

/**
 * Expires open checkouts of other prices before the sync. One that was just paid can't be expired, so the sync finds its
 * subscription and no second purchase is possible.
 */
async function chooseDestination(deps: BillingDeps, user: Buyer, wanted: Wanted) {
  const { priceId, offer, quantity: seats, tax } = wanted
  const { customer, pending, open } = await prepareCheckout(deps, user)
  const isOwnSession = ({ metadata, automatic_tax: taxed, tax_id_collection: ids }: Stripe.Checkout.Session) =>
    taxed.enabled === tax.enabled &&
    (ids?.enabled ?? false) === tax.taxIds &&
    pending?.priceId === priceId &&
    metadata?.nonce === pending.nonce &&
    metadata.price_id === priceId &&
    (metadata.seats ?? '1') === String(seats) &&
    (metadata.offer_id ?? null) === (offer?.id ?? null)
  const ownSession = open.find(isOwnSession)
  const others = open.filter((session) => session !== ownSession)
  const [synced] = await settleAll([
    expireCheckoutSessions(deps, others).then(() => syncCustomer(deps, customer.id, { expectsNone: true })),
    // Checkout shows the customer's email, so update it first.
    pushCurrentEmail(deps, user.userId, customer.email),
    expireOneTimeCheckouts(deps, user.userId),
  ])
  if (!synced || synced.state.isDeleted) throw new AppError('stripe_unavailable')
  const { subscription } = synced.state
  if (subscription && (isLive(subscription) || subscription.status === 'unpaid' || subscription.status === 'paused')) {
    if (ownSession) await expireCheckoutSessions(deps, [ownSession])
    if (pending) await deletePendingCheckout(deps.database.db, pending)
    const item = planItemOf(deps, subscription)
    const plans = [wanted.plan, item && planOfStripePrice(deps, item.price)]
    const changesSeats = plans.some((key) => findPlan(deps.config.settings.publication, key)?.perSeat)
    if (changesSeats || (await hasTeam(deps, user.userId, subscription))) return { url: switchPage(deps, wanted.plan) }
    return openPortalInsteadOfCheckout(deps, user, customer.id, subscription, priceId)
  }
  if (offer) await requireUsableOffer(deps, offer, customer.id)
  const trialDays = await trialDaysFor(deps, user.email, synced.row, wanted.plan)
  const plan = { ...planOf(deps.config.settings.publication, wanted.plan), priceCents: wanted.amount }
  const consent = requireConsent(deps, { plan, seats, trialDays }, wanted.agreed)
  const trialPriceId = trialDays > 0 && plan.trialPriceCents ? await ensureTrialAtStripe(deps, plan) : null
  const isSameTrial = (ownSession?.metadata?.trial_price_id ?? null) === trialPriceId
  if (ownSession && !isSameTrial) await expireCheckoutSessions(deps, [ownSession])
  if (ownSession?.url && pending && isSameTrial) {
    await recordConsent(deps, pending, consent)
    if (!pending.sessionId) await storeSessionId(deps.database.db, pending, ownSession.id)
    return { url: ownSession.url }
  }
  if (subscription?.status === 'incomplete' && !billsOtherProducts(deps, subscription)) {
    await deps.stripe.subscriptions.cancel(subscription.id)
  }
  // An unconfirmed address may belong to someone else, who would lose the trial.
  if (trialDays > 0 && !user.emailConfirmed) throw confirmFirst(plan, trialDays)
  return createSession(deps, user, customer.id, { ...wanted, trialDays, trialPriceId, consent })
}

/** Our billing page, since Stripe's portal knows neither seats in use nor which team members would lose access. */
const switchPage = ({ config }: BillingDeps, plan: PlanKey) => `${config.publicUrl}/account/billing?switch=${plan}`

/** Returns true if the subscription has team members. */
async function hasTeam({ database, config }: BillingDeps, ownerId: string, subscription: Stripe.Subscription) {
  const product = planProductOf({ config }, planItemOf({ config }, subscription)?.price) ?? ''
  if (!productsOf(config).team.has(product)) return false
  const seats = await database.db
    .select({ seat: teamSeat.seat })
    .from(teamSeat)
    .where(eq(teamSeat.ownerId, ownerId))
    .limit(1)
  return seats.length > 0
}

const confirmFirst = ({ trialPriceCents, currency }: PlanTerms, days: number) =>
  new AppError('email_not_confirmed', {
    status: 403,
    message: `Confirm your email address first. Then your plan starts with ${trialPriceCents ? `${days} days for ${formatWholeMoney(trialPriceCents, currency)}` : `${days} free days`}.`,
  })

/** `trialPriceId`: null for a free trial, and without one. */
type Terms = Wanted & { trialDays: number; trialPriceId: string | null; consent: Consent }

async function createSession(deps: BillingDeps, { userId }: BillingUser, customerId: string, terms: Terms) {
  const { priceId, offer } = terms
  try {
    const pending = await createPendingCheckout(deps, userId, priceId)
    try {
      return await createWithNonce(deps, customerId, pending, terms)
    } catch (error) {
      // PUBLIC_URL, the trial, the seats, the tax or the offer changed since the first attempt with this nonce. That attempt created no session, or it
      // would be in the list of open sessions.
      if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error
      const fresh = await createPendingCheckout(deps, userId, priceId, { fresh: true })
      return await createWithNonce(deps, customerId, fresh, terms)
    }
  } catch (error) {
    throw toPlanUnavailable(deps, await toOfferUnavailable(deps, toCurrencyConflict(error), offer), priceId)
  }
}

async function createWithNonce(
  deps: BillingDeps,
  customer: string,
  pending: PendingCheckout,
  { plan, trialDays, trialPriceId, offer, quantity, tax, consent }: Terms,
) {
  const { userId, priceId, nonce } = pending
  const { floorCents } = planOf(deps.config.settings.publication, plan)
  await recordConsent(deps, pending, consent)
  const origin = deps.config.publicUrl
  const session = await deps.stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      // Stripe charges a one-time price with the first invoice, whose other line a trial makes free.
      line_items: [{ price: priceId, quantity }, ...(trialPriceId ? [{ price: trialPriceId, quantity: 1 }] : [])],
      // Stripe accepts only one of the two.
      ...(offer?.promotionCodeId
        ? { discounts: [{ promotion_code: offer.promotionCodeId }] }
        : { allow_promotion_codes: !floorCents && !trialPriceId }),
      ...(tax.enabled && { automatic_tax: { enabled: true } }),
      ...(tax.taxIds && { tax_id_collection: { enabled: true } }),
      // Stripe keeps the address for later invoices, and needs the permission for both.
      ...((tax.enabled || tax.taxIds) && { customer_update: { address: 'auto' as const, name: 'auto' as const } }),
      metadata: {
        user_id: userId,
        price_id: priceId,
        nonce,
        ...(quantity !== 1 && { seats: quantity }),
        ...(offer && { offer_id: offer.id }),
        ...(trialPriceId && { trial_price_id: trialPriceId }),
      },
      // Checkout still collects a card, which pays for the plan after the trial.
      subscription_data: {
        metadata: { user_id: userId, consent_id: nonce, ...(trialDays > 0 && trialOfferMetadata) },
        billing_mode: { type: 'flexible' },
        ...(trialDays > 0 && { trial_period_days: trialDays }),
      },
      // The text is put together by hand: URL would encode the braces of Stripe's placeholder.
      success_url: `${origin}/billing/return?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${origin}/#pricing`,
    },
    { idempotencyKey: `checkout:${userId}:${nonce}` },
  )
  if (!session.url) throw new AppError('stripe_unavailable')
  await storeSessionId(deps.database.db, pending, session.id)
  return { url: session.url }
}
