import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { billingCustomer, users } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { describeFailure, isMissing } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'

/**
 * Updates the email of the user's Stripe customer, which gets receipts and invoices. Holds the user's lease and reads the
 * address again after the update, so that the newer of two concurrent changes wins.
 */
export const updateCustomerEmail = (deps: BillingDeps, userId: string): Promise<void> =>
  withLease(deps, `billing:${userId}`, () => pushCurrentEmail(deps, userId))

/** Like `updateCustomerEmail`, for callers that hold the lease. `stripeEmail` is the customer's email if known. */
export async function pushCurrentEmail(
  deps: BillingDeps,
  userId: string,
  stripeEmail: string | null = null,
): Promise<void> {
  let known = stripeEmail
  for (;;) {
    const { customerId, email } = await readCurrent(deps, userId)
    if (!customerId || !email || email === known) return
    if (!(await setCustomerEmail(deps, customerId, email))) return
    known = email
  }
}

async function readCurrent(deps: BillingDeps, userId: string) {
  const [row] = await deps.database.db
    .select({ customerId: billingCustomer.stripeCustomerId, email: users.email })
    .from(billingCustomer)
    .innerJoin(users, eq(users.id, billingCustomer.userId))
    .where(eq(billingCustomer.userId, userId))
  return row ?? { customerId: null, email: null }
}

/** Returns false if Stripe rejects the address. That must not block a purchase, and a retry wouldn't help. */
async function setCustomerEmail(deps: BillingDeps, customerId: string, email: string): Promise<boolean> {
  try {
    await deps.stripe.customers.update(customerId, { email })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'Stripe rejected an email address')
    return false
  }
}
