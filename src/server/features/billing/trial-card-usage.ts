import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '#server/db/database.ts'
import { billingNotice, trialCardUsage, users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { trialRefusedEmail } from '#server/mail/texts/billing-emails.ts'
import { type BillingDeps, idOf } from './billing-deps.ts'
import { planNameOf } from './plan-ids.ts'
import { planItemOf } from './plan-subscriptions.ts'
import { isMissing } from './stripe-errors.ts'

const purpose = 'trial card'

/** Marks a subscription whose trial our checkout gave, as opposed to one that the publisher gave in Stripe. */
export const trialOfferMetadata = { trial_offer: 'true' } as const

/** Tells every later sync why it was canceled. */
const refusal = 'This card had a free trial before.'

export const wasTrialRefused = ({ metadata, cancellation_details: details }: Stripe.Subscription): boolean =>
  metadata.trial_offer === trialOfferMetadata.trial_offer && details?.comment === refusal

/** Whether a trial really began: not while its checkout is incomplete, nor one that was refused for its card. */
export const hasStartedTrial = (subscription: Stripe.Subscription): boolean =>
  subscription.trial_start !== null && !subscription.status.startsWith('incomplete') && !wasTrialRefused(subscription)

/**
 * Cancels a trial of our checkout whose card has paid for another one's: nobody is charged what the checkout didn't show,
 * so it ends without a charge. The first subscription to claim a card keeps it, on all nodes.
 * @returns whether it was canceled
 */
export async function refuseSecondTrial(deps: BillingDeps, subscription: Stripe.Subscription): Promise<boolean> {
  const isOffer = subscription.metadata.trial_offer === trialOfferMetadata.trial_offer
  const card = cardOf(subscription)
  if (subscription.status !== 'trialing' || !isOffer || !card?.fingerprint) return false
  if (await claimCard(deps, card.fingerprint, subscription.id)) return false
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
  deps.logger.info({ subscriptionId: subscription.id }, 'a second trial with the same card was canceled')
  return true
}

/** A subscription claims one card, with its first sight: a card that is changed during the trial ends nothing. */
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

/** The card that renewals are charged to: the subscription's own, or else the customer's. */
export function cardOf({ default_payment_method: own, customer }: Stripe.Subscription) {
  const standard =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null
  const method = own ?? standard
  return method && typeof method === 'object' ? method.card : undefined
}

/** Asks for one email about each refused trial, in the transaction that writes the row. */
export async function reportRefusedTrials(
  tx: Tx,
  deps: BillingDeps,
  userId: string,
  refused: readonly Stripe.Subscription[],
): Promise<void> {
  for (const subscription of refused) {
    const told = await tx
      .insert(billingNotice)
      .values({ userId, reason: `trial-refused:${subscription.id}`, createdAt: deps.clock() })
      .onConflictDoNothing()
      .returning({ reason: billingNotice.reason })
    const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (told.length === 0 || !user?.email) continue
    const planName = planNameOf(deps.config, idOf(planItemOf(deps, subscription)?.price.product))
    await deps.enqueue(tx, emailJob, trialRefusedEmail({ to: user.email, planName, publicUrl: deps.config.publicUrl }))
  }
}
