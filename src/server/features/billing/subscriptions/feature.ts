import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { personRow, personRows } from '#server/db/person-rows.ts'
import * as schema from '#server/db/schema/index.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import type { Deps, Feature, PersonReaders } from '#server/feature.ts'
import { findEmail, mostTrialDays, recordTrialUsage, trialHash } from './checkout/trial-usage.ts'
import { closeBillingAccountJob } from './customers/close-billing-account.ts'
import { removeComments } from './notices/cancellations.ts'
import { planStartedJob, renewalNoticeJob } from './notices/enqueue-notices.ts'
import { removeOfferComments } from './retention/retention-offers.ts'
import { subscriptionsCalls } from './subscriptions.calls.ts'
import { subscriptionsJobs } from './subscriptions.jobs.ts'
import { findSubscriptionRow } from './sync/subscription-row.ts'
import { stripeEventsJob } from './webhooks/process-event.ts'
import { stripeWebhookRoutes } from './webhooks/webhook.routes.ts'

/**
 * Enqueues the job that cancels the user's subscriptions and deletes the Stripe customer, in the transaction that deletes
 * the account. Records a used trial by a hash of the email address.
 */
async function closeBilling(tx: Tx, userId: string, deps: Pick<Deps, 'config' | 'enqueue' | 'secrets'>): Promise<void> {
  const [customer] = await tx
    .select({ id: billingCustomer.stripeCustomerId })
    .from(billingCustomer)
    .where(eq(billingCustomer.userId, userId))
    .for('update')
  const trialUsed = (await findSubscriptionRow(tx, userId))?.trialUsed ?? false
  // The hash stored when the trial began may be of an earlier address.
  if (trialUsed) await recordTrialUsage(tx, deps, userId)
  await removeOfferComments(tx, userId)
  if (!customer?.id) return
  await removeComments(tx, customer.id)
  // A trial may have started whose webhook hasn't arrived. The job checks after our copy of the address is deleted.
  const ifTrial = mostTrialDays(deps.config) > 0 && !trialUsed ? trialHash(deps, await findEmail(tx, userId)) : null
  await deps.enqueue(tx, closeBillingAccountJob, { customerId: customer.id, ...(ifTrial && { ifTrial }) })
}

const exportedData: PersonReaders = {
  /** Stripe stores cards and payments. We store the customer id, webhook events and invoice amounts. */
  billing: async (tx, userId) => {
    const customer = await personRow(tx, schema.billingCustomer, ['stripeCustomerId', 'createdAt'], userId)
    const ofCustomer = { of: 'customerId' } as const
    const customerId = String(customer?.stripeCustomerId ?? '')
    return {
      customer,
      openCheckout: await personRow(tx, schema.pendingCheckout, ['priceId', 'createdAt'], userId),
      stripeEvents: await personRows(
        tx,
        schema.stripeEvent,
        { ...ofCustomer, columns: ['id', 'type', 'created as createdAt'], order: ['created desc'] },
        customerId,
      ),
      invoices: await personRows(
        tx,
        schema.revenueInvoice,
        {
          ...ofCustomer,
          columns: ['id', 'status', 'createdAt', 'paidAt', 'currency', 'dueCents', 'paidCents', 'refundedCents'],
          order: ['createdAt desc'],
        },
        customerId,
      ),
      cancellations: await personRows(
        tx,
        schema.planCancellation,
        {
          ...ofCustomer,
          columns: ['subscriptionId as stripeSubscriptionId', 'plan', 'canceledAt', 'reason', 'comment'],
          order: ['canceledAt desc'],
        },
        customerId,
      ),
      offersToStay: await personRows(
        tx,
        schema.retentionOffer,
        {
          columns: [
            ...(['subscriptionId as stripeSubscriptionId', 'reason', 'kind as offer', 'plan', 'comment'] as const),
            ...(['offeredAt', 'takenAt'] as const),
          ],
          order: ['offeredAt desc'],
        },
        userId,
      ),
    }
  },
}

export const subscriptionsFeature: Feature = {
  calls: subscriptionsCalls,
  routes: (deps) => [stripeWebhookRoutes(deps)],
  jobs: subscriptionsJobs,
  enqueuedEarly: [planStartedJob, renewalNoticeJob, stripeEventsJob],
  onAccountDeleted: closeBilling,
  exportedData,
}
