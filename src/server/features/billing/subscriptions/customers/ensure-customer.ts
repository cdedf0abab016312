import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { billingCustomer, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { describeFailure, isMissing } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { fetchCustomer, findCustomerMapping, findUserOfCustomer, storeCustomerMapping } from './stripe-customer-ids.ts'

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

export type BillingUser = {
  userId: string
  /** Set on a new customer, in addition to the user id. */
  metadata?: Record<string, string>
}

/** Returns the user's Stripe customer with a current email address. Call it under the user's lease. */
export async function ensureCustomer(deps: BillingDeps, user: BillingUser): Promise<string> {
  const { customer } = await findOrCreateCustomer(deps, user)
  await pushCurrentEmail(deps, user.userId, customer.email)
  return customer.id
}

/** `isNew`: just created, so it has no subscriptions or checkouts to read. */
export type FoundCustomer = { customer: Stripe.Customer; isNew: boolean }

/**
 * Returns the stored customer, one found by its metadata, or a new one. Call it under the user's lease. Never matches by
 * email: that could hand over another person's subscription.
 */
export async function findOrCreateCustomer(deps: BillingDeps, user: BillingUser): Promise<FoundCustomer> {
  const { db } = deps.database
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const mapping = await findCustomerMapping(db, user.userId)
    const known = mapping?.stripeCustomerId
    const found = known
      ? { id: known, customer: await fetchCustomer(deps, known), isNew: false }
      : await adoptOrCreate(deps, user, mapping?.generation ?? 0)
    if (!known) await storeCustomerMapping(db, user.userId, found.id)
    if (found.customer) return { customer: found.customer, isNew: found.isNew }
    deps.logger.warn({ userId: user.userId, customerId: found.id }, 'Stripe customer was deleted; replacing it')
    // Records its purchases and its used trial before the mapping is lost.
    await syncCustomer(deps, found.id)
  }
  throw new AppError('stripe_unavailable')
}

/** `customer` is null if it was deleted at Stripe. */
type Found = { id: string; customer: Stripe.Customer | null; isNew: boolean }

/**
 * Recovers a lost mapping with a search, else creates a customer. Stripe's search lags behind writes, so each hit is
 * verified and the idempotency key covers misses. A replayed key can return a deleted customer.
 */
async function adoptOrCreate(deps: BillingDeps, { userId, metadata }: BillingUser, generation: number): Promise<Found> {
  const found = await deps.stripe.customers.search({ query: `metadata['user_id']:'${userId}'`, limit: 10 })
  for (const { id } of found.data.toSorted((a, b) => a.created - b.created)) {
    const customer = await fetchCustomer(deps, id)
    if (customer?.metadata.user_id !== userId) continue
    // Skip a customer that was transferred to another user but not updated at Stripe yet.
    const owner = await findUserOfCustomer(deps.database.db, id)
    if (owner === null || owner === userId) return { id, customer, isNew: false }
  }
  const idempotencyKey = generation === 0 ? `customer:${userId}` : `customer:${userId}:${generation}`
  // Leaves out the email: if it changed between two attempts, Stripe would reject the idempotency key.
  const created = await deps.stripe.customers.create({ metadata: { ...metadata, user_id: userId } }, { idempotencyKey })
  const replayed = created.lastResponse.headers['idempotent-replayed'] === 'true'
  return { id: created.id, customer: replayed ? await fetchCustomer(deps, created.id) : created, isNew: !replayed }
}
