import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '#server/db/database.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { billingNotice, subscriptionState, trialCardUsage, users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { maskEmail } from '#server/mail/mask-email.ts'
import { sameCardEmail, trialRefusedEmail } from '#server/mail/texts/billing-emails.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { knownProductIds, planNameOf } from '../stripe/plan-ids.ts'
import { isMissing } from '../stripe/stripe-errors.ts'
import { refundSubscription } from '../sync/cancel-duplicate-subscription.ts'
import { planItemOf, planProductOf } from '../sync/plan-subscriptions.ts'

const purpose = 'trial card'

/** Distinguishes trials from our checkout from those that the publisher adds in the Stripe Dashboard. */
export const trialOfferMetadata = { trial_offer: 'true' } as const

/** Cancellation comment by which later syncs recognize a refused trial. */
const refusal = 'This card was already used for a free trial.'

export const wasTrialRefused = ({ metadata, cancellation_details: details }: Stripe.Subscription): boolean =>
  metadata.trial_offer === trialOfferMetadata.trial_offer && details?.comment === refusal

/** Returns true if a trial started. False while its checkout is incomplete, and for a trial refused because of its card. */
export const hasStartedTrial = (subscription: Stripe.Subscription): boolean =>
  subscription.trial_start !== null && !subscription.status.startsWith('incomplete') && !wasTrialRefused(subscription)

/**
 * Refunds and cancels a trial from our checkout if its card was already used for another trial.
 * @returns whether it was canceled
 */
export async function refuseSecondTrial(deps: BillingDeps, subscription: Stripe.Subscription): Promise<boolean> {
  const isOffer = subscription.metadata.trial_offer === trialOfferMetadata.trial_offer
  const card = cardOf(subscription)
  if (subscription.status !== 'trialing' || !isOffer || !card?.fingerprint) return false
  if (await claimCard(deps, card.fingerprint, subscription.id)) return false
  // A copy of an instance leaves it to the original.
  if (await isOnHold(deps.database.db)) return false
  await refundSubscription(deps, subscription.id)
  try {
    const cancellation_details = { comment: refusal }
    await deps.stripe.subscriptions.cancel(subscription.id, {
      prorate: false,
      invoice_now: false,
      cancellation_details,
    })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  deps.logger.info({ subscriptionId: subscription.id }, 'canceled a second trial with the same card')
  return true
}

/** A subscription claims only its first card, so changing the card during the trial doesn't end it. */
async function claimCard(deps: BillingDeps, fingerprint: string, subscriptionId: string): Promise<boolean> {
  const { db } = deps.database
  const own = () => db.select().from(trialCardUsage).where(eq(trialCardUsage.subscriptionId, subscriptionId))
  if ((await own()).length > 0) return true
  const known = deps.secrets.signatures(purpose, fingerprint)
  for (const fingerprintHash of known) {
    const [other] = await db.select().from(trialCardUsage).where(eq(trialCardUsage.fingerprintHash, fingerprintHash))
    if (other) return other.subscriptionId === subscriptionId
  }
  const fingerprintHash = deps.secrets.sign(purpose, fingerprint)
  await db.insert(trialCardUsage).values({ fingerprintHash, subscriptionId }).onConflictDoNothing()
  return (await own()).length > 0
}

/** The card charged for renewals. */
export const cardOf = (subscription: Stripe.Subscription) => paymentMethodOf(subscription)?.card

/** How renewals are paid: the subscription's default, else the customer's. */
function paymentMethodOf({ default_payment_method: own, customer }: Stripe.Subscription) {
  const customerDefault =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null
  const method = own ?? customerDefault
  return method && typeof method === 'object' ? method : undefined
}

/** Enqueues one email per refused trial, in the transaction that writes the row. */
export async function reportRefusedTrials(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  refused: readonly Stripe.Subscription[],
): Promise<void> {
  for (const subscription of refused) {
    const recorded = await tx
      .insert(billingNotice)
      .values({ userId, reason: `trial-refused:${subscription.id}`, createdAt: deps.clock() })
      .onConflictDoNothing()
      .returning({ reason: billingNotice.reason })
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (recorded.length === 0 || !user?.email || (await isOnHold(tx))) continue
    const planName = planNameOf(deps.config, planProductOf(deps, planItemOf(deps, subscription)?.price))
    await deps.enqueue(tx, emailJob, trialRefusedEmail({ to: user.email, planName, config: deps.config }))
  }
}

/**
 * Stripe's fingerprint of the card, which is the same at all customers of an account, with the name on it. Null without a
 * name: the card alone can belong to a company.
 */
export function cardOwnerOf(subscription: Stripe.Subscription): string | null {
  const method = paymentMethodOf(subscription)
  const name = method?.billing_details.name?.trim().toLowerCase()
  return method?.card?.fingerprint && name ? JSON.stringify([method.card.fingerprint, name]) : null
}

/** The database has a keyed hash of the card, not its number. */
export const hashCard = ({ secrets }: Pick<BillingDeps, 'secrets'>, cardOwner: string): string =>
  secrets.sign('billing card', cardOwner)

type SubscriptionRow = typeof subscriptionState.$inferSelect

type CardOwner = { userId: string; email: string; subscriptionId: string }

/** The other account whose plan is charged to the same card; the oldest if there are several. Trials cost nothing yet. */
export async function findSameCard(
  db: Db | Tx,
  deps: Pick<BillingDeps, 'config'>,
  row: SubscriptionRow | null,
): Promise<CardOwner | null> {
  if (!row || !paying(deps, row)) return null
  const { cardHash, status, productId, currentPeriodStart, stripeSubscriptionId } = subscriptionState
  const [found] = await db
    .select({ userId: users.id, email: users.email, subscriptionId: stripeSubscriptionId })
    .from(subscriptionState)
    .innerJoin(users, eq(users.id, subscriptionState.userId))
    .where(
      and(
        eq(cardHash, row.cardHash ?? ''),
        ne(subscriptionState.userId, row.userId),
        inArray(status, payingStatuses),
        inArray(productId, [...knownProductIds(deps.config)]),
      ),
    )
    .orderBy(asc(currentPeriodStart), asc(users.id))
    .limit(1)
  return found?.email && found.subscriptionId
    ? { userId: found.userId, email: found.email, subscriptionId: found.subscriptionId }
    : null
}

const payingStatuses = ['active', 'past_due']

const paying = ({ config }: Pick<BillingDeps, 'config'>, { status, productId, cardHash }: SubscriptionRow) =>
  cardHash !== null && payingStatuses.includes(status) && knownProductIds(config).has(productId ?? '')

/**
 * Tells a member once per pair of plans that another account pays with the same card, in the transaction that writes the
 * row. The other address is masked, because two people can share a card and a name.
 */
export async function reportSameCard(
  tx: Tx,
  deps: BillingDeps,
  before: SubscriptionRow | null,
  row: SubscriptionRow,
): Promise<void> {
  const isNew = before?.cardHash !== row.cardHash || before?.status !== row.status
  const other = isNew ? await findSameCard(tx, deps, row) : null
  if (!other || !row.stripeSubscriptionId) return
  const pair = [row.stripeSubscriptionId, other.subscriptionId].toSorted().join(':')
  const [recorded] = await tx
    .insert(billingNotice)
    .values({ userId: row.userId, reason: `same-card:${pair}`, createdAt: deps.clock() })
    .onConflictDoNothing()
    .returning({ reason: billingNotice.reason })
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.userId))
  if (!recorded || !user?.email || (await isOnHold(tx))) return
  const { config } = deps
  await deps.enqueue(tx, emailJob, sameCardEmail({ to: user.email, otherAddress: maskEmail(other.email), config }))
}
