import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { billingCustomer, users } from '#server/db/schema/index.ts'
import type { BillingDeps } from './billing-deps.ts'
import { withLease } from './lease.ts'
import { describeFailure, isMissing } from './stripe-errors.ts'

/**
 * Gives the user's Stripe customer the address that the account has now, for receipts and invoices. Reads it under the
 * user's lease and again after telling, so of two changes that race the newer one stays, even if this process slept.
 */
export const updateCustomerEmail = (deps: BillingDeps, userId: string): Promise<void> =>
  withLease(deps, `billing:${userId}`, () => pushCurrentEmail(deps, userId))

/** As `updateCustomerEmail`, for callers that hold the lease. `told`: what the customer has already. */
export async function pushCurrentEmail(deps: BillingDeps, userId: string, told: string | null = null): Promise<void> {
  let known = told
  for (;;) {
    const { customerId, email } = await readCurrent(deps, userId)
    if (!customerId || !email || email === known) return
    if (!(await tell(deps, customerId, email))) return
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

/** An address that Stripe refuses is no reason to refuse a purchase, and no later try would help. */
async function tell(deps: BillingDeps, customerId: string, email: string): Promise<boolean> {
  try {
    await deps.stripe.customers.update(customerId, { email })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'Stripe refused an address')
    return false
  }
}
