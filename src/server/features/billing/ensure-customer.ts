import type Stripe from 'stripe'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { fetchCustomer, findCustomerMapping, findUserOfCustomer, storeCustomerMapping } from './customer.ts'
import { syncCustomer } from './sync-customer.ts'
import { pushCurrentEmail } from './update-customer-email.ts'

export type BillingUser = {
  userId: string
  /** Set when the customer is made, beside the user's id. */
  metadata?: Record<string, string>
}

/** The user's one Stripe customer, which knows their address when this is done. Call it under the user's lease. */
export async function ensureCustomer(deps: BillingDeps, user: BillingUser): Promise<string> {
  const { customer } = await findOrCreateCustomer(deps, user)
  await pushCurrentEmail(deps, user.userId, customer.email)
  return customer.id
}

/** `isNew`: made a moment ago, so there is nothing of it yet that anybody could look at. */
export type FoundCustomer = { customer: Stripe.Customer; isNew: boolean }

/**
 * The stored customer, or one of theirs that we forgot, or a new one. Call it under the user's lease. A customer is
 * never adopted for its address: that would hand over a stranger's subscription.
 *
 * One that was deleted at Stripe is looked at before another takes its place: once it is nobody's, no event leads to what
 * was bought with it any more, nor to the trial that was used.
 */
export async function findOrCreateCustomer(deps: BillingDeps, user: BillingUser): Promise<FoundCustomer> {
  const { db } = deps.database
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const mapping = await findCustomerMapping(db, user.userId)
    const known = mapping?.stripeCustomerId
    const found = known
      ? { id: known, living: await fetchCustomer(deps, known), isNew: false }
      : await adoptOrCreate(deps, user, mapping?.generation ?? 0)
    if (!known) await storeCustomerMapping(db, user.userId, found.id)
    if (found.living) return { customer: found.living, isNew: found.isNew }
    deps.logger.warn({ userId: user.userId, customerId: found.id }, 'the Stripe customer is gone and will be replaced')
    await syncCustomer(deps, found.id)
  }
  throw new AppError('stripe_unavailable')
}

/** `living` is null when Stripe has deleted the customer since. */
type Found = { id: string; living: Stripe.Customer | null; isNew: boolean }

/**
 * The search heals a lost mapping; it lags behind writes, so each hit is looked at, and a miss is no proof, which is what
 * the idempotency key is for. That one may bring back a customer that has been deleted since.
 */
async function adoptOrCreate(deps: BillingDeps, { userId, metadata }: BillingUser, generation: number): Promise<Found> {
  const found = await deps.stripe.customers.search({ query: `metadata['user_id']:'${userId}'`, limit: 10 })
  for (const { id } of found.data.toSorted((a, b) => a.created - b.created)) {
    const customer = await fetchCustomer(deps, id)
    if (customer?.metadata.user_id !== userId) continue
    // Handed over, and Stripe has not been told yet, or its search lags: it is somebody else's now.
    const owner = await findUserOfCustomer(deps.database.db, id)
    if (owner === null || owner === userId) return { id, living: customer, isNew: false }
  }
  const idempotencyKey = generation === 0 ? `customer:${userId}` : `customer:${userId}:${generation}`
  // Without the address: one that changed between two tries would contradict the idempotency key.
  const created = await deps.stripe.customers.create({ metadata: { ...metadata, user_id: userId } }, { idempotencyKey })
  const replayed = created.lastResponse.headers['idempotent-replayed'] === 'true'
  return { id: created.id, living: replayed ? await fetchCustomer(deps, created.id) : created, isNew: !replayed }
}
