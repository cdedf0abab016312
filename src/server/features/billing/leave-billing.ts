import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { closeBillingAccountJob } from './close-billing-account.ts'

/** For those who delete accounts: asks in their transaction for the end of the user's subscriptions and customer. */
export const createLeaveBilling =
  ({ enqueue }: Pick<Deps, 'enqueue'>) =>
  async (tx: Tx, userId: string): Promise<void> => {
    const [customer] = await tx
      .select({ id: billingCustomer.stripeCustomerId })
      .from(billingCustomer)
      .where(eq(billingCustomer.userId, userId))
      .for('update')
    if (customer?.id) await enqueue(tx, closeBillingAccountJob, { customerId: customer.id })
  }
