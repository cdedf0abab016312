import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { closeBillingAccountJob } from './close-billing-account.ts'
import { findSubscriptionRow } from './subscription-row.ts'
import { findAddress, keepTrial, trialHash } from './trial-had.ts'

type LeaveDeps = Pick<Deps, 'config' | 'enqueue' | 'secrets'>

/** For those who delete accounts: asks in their transaction for the end of the user's subscriptions and customer. */
export const createLeaveBilling =
  (deps: LeaveDeps) =>
  async (tx: Tx, userId: string): Promise<void> => {
    const [customer] = await tx
      .select({ id: billingCustomer.stripeCustomerId })
      .from(billingCustomer)
      .where(eq(billingCustomer.userId, userId))
      .for('update')
    const trialUsed = (await findSubscriptionRow(tx, userId))?.trialUsed ?? false
    // It was kept when the trial began, perhaps of an address that was changed since.
    if (trialUsed) await keepTrial(tx, deps, userId)
    if (!customer?.id) return
    // A trial may have begun that we have not been told of; the job finds out when nobody knows the address any more.
    const ifTrial = deps.config.trialDays > 0 && !trialUsed ? trialHash(deps, await findAddress(tx, userId)) : null
    await deps.enqueue(tx, closeBillingAccountJob, { customerId: customer.id, ...(ifTrial && { ifTrial }) })
  }
