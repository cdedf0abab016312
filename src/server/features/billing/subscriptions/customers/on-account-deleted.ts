import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { findEmail, mostTrialDays, recordTrialUsage, trialHash } from '../checkout/trial-usage.ts'
import { removeComments } from '../notices/cancellations.ts'
import { removeOfferComments } from '../retention/retention-offers.ts'
import { findSubscriptionRow } from '../sync/subscription-row.ts'
import { closeBillingAccountJob } from './close-billing-account.ts'

/**
 * Enqueues the job that cancels the user's subscriptions and deletes the Stripe customer, in the transaction that deletes
 * the account. Records a used trial by a hash of the email address.
 */
export async function closeBilling(
  tx: Tx,
  userId: string,
  deps: Pick<Deps, 'config' | 'enqueue' | 'secrets'>,
): Promise<void> {
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
