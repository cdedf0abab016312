import { and, eq, isNull, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '#server/db/database.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { isMissing } from '../stripe/stripe-errors.ts'

/** The user's Stripe customer, if there is one. */
export async function findCustomerId(db: Db | Tx, userId: string): Promise<string | null> {
  return (await findCustomerMapping(db, userId))?.stripeCustomerId ?? null
}

/** The user of a Stripe customer, or null if the customer isn't ours. */
export async function findUserOfCustomer(db: Db | Tx, customerId: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: billingCustomer.userId })
    .from(billingCustomer)
    .where(eq(billingCustomer.stripeCustomerId, customerId))
  return row?.userId ?? null
}

/**
 * Detaches a customer that was deleted at Stripe. Raising the generation changes the idempotency key of the next create
 * call; the old key would return the deleted customer.
 */
export async function detachCustomer(db: Db | Tx, userId: string, customerId: string): Promise<void> {
  await db
    .update(billingCustomer)
    .set({ stripeCustomerId: null, generation: sql`${billingCustomer.generation} + 1` })
    .where(and(eq(billingCustomer.userId, userId), eq(billingCustomer.stripeCustomerId, customerId)))
}

export async function findCustomerMapping(db: Db | Tx, userId: string) {
  const [row] = await db.select().from(billingCustomer).where(eq(billingCustomer.userId, userId))
  return row
}

export async function storeCustomerMapping(db: Db, userId: string, customerId: string) {
  await db
    .insert(billingCustomer)
    .values({ userId, stripeCustomerId: customerId })
    .onConflictDoUpdate({
      target: billingCustomer.userId,
      set: { stripeCustomerId: customerId },
      setWhere: isNull(billingCustomer.stripeCustomerId),
    })
}

/** The customer at Stripe, or null if it was deleted or never existed. */
export async function fetchCustomer(
  deps: Pick<BillingDeps, 'stripe'>,
  customerId: string,
  options?: Stripe.RequestOptions,
): Promise<Stripe.Customer | null> {
  try {
    const customer = await deps.stripe.customers.retrieve(customerId, {}, options)
    return customer.deleted ? null : customer
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
