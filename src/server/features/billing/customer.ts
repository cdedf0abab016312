import { eq, isNull, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Db, Tx } from '#server/db/database.ts'
import { billingCustomer } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { describeFailure, isMissing } from './stripe-errors.ts'

export type BillingUser = {
  userId: string
  email: string
  /** Set when the customer is made, beside the user's id. */
  metadata?: Record<string, string>
}

/** The user's Stripe customer, if there is one. */
export async function findCustomerId(db: Db | Tx, userId: string): Promise<string | null> {
  return (await findMapping(db, userId))?.stripeCustomerId ?? null
}

/** Whose customer this is; null for one that is not ours. */
export async function findUserOfCustomer(db: Db | Tx, customerId: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: billingCustomer.userId })
    .from(billingCustomer)
    .where(eq(billingCustomer.stripeCustomerId, customerId))
  return row?.userId ?? null
}

/**
 * Takes the customer from the user, since Stripe no longer has it. The generation makes the next creation's idempotency
 * key another one: the old key would bring back the customer that is gone.
 */
export async function forgetCustomer(db: Db | Tx, userId: string, customerId: string | null): Promise<void> {
  await db
    .insert(billingCustomer)
    .values({ userId, generation: 1 })
    .onConflictDoUpdate({
      target: billingCustomer.userId,
      set: { stripeCustomerId: null, generation: sql`${billingCustomer.generation} + 1` },
      setWhere: sql`${billingCustomer.stripeCustomerId} is not distinct from ${customerId}`,
    })
}

/**
 * The user's one Stripe customer: the stored one, or one of theirs that we forgot, or a new one. Call it under the
 * user's lease. A customer is never adopted for its address: that would hand over a stranger's subscription.
 */
export async function ensureCustomer(deps: BillingDeps, user: BillingUser): Promise<string> {
  const { db } = deps.database
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const mapping = await findMapping(db, user.userId)
    const known = mapping?.stripeCustomerId ?? null
    const customer = known ? await findLiving(deps, known) : await adoptOrCreate(deps, user, mapping?.generation ?? 0)
    if (customer) {
      if (!known) await storeMapping(db, user.userId, customer.id)
      await updateEmail(deps, customer, user.email)
      return customer.id
    }
    deps.logger.warn({ userId: user.userId, customerId: known }, 'the Stripe customer is gone and will be replaced')
    await forgetCustomer(db, user.userId, known)
  }
  throw new AppError('stripe_unavailable')
}

/**
 * Apart from the creation: an address that changed between two tries would contradict the idempotency key. It is where
 * receipts go, so an address that Stripe does not like is no reason to refuse a purchase.
 */
async function updateEmail(deps: BillingDeps, customer: Stripe.Customer, email: string) {
  if (!email || customer.email === email) return
  try {
    await deps.stripe.customers.update(customer.id, { email })
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    deps.logger.warn({ customerId: customer.id, ...describeFailure(error) }, 'Stripe refused an address')
  }
}

async function findMapping(db: Db | Tx, userId: string) {
  const [row] = await db.select().from(billingCustomer).where(eq(billingCustomer.userId, userId))
  return row
}

async function storeMapping(db: Db, userId: string, customerId: string) {
  await db
    .insert(billingCustomer)
    .values({ userId, stripeCustomerId: customerId })
    .onConflictDoUpdate({
      target: billingCustomer.userId,
      set: { stripeCustomerId: customerId },
      setWhere: isNull(billingCustomer.stripeCustomerId),
    })
}

/** The customer as Stripe has it now; null when it was deleted or never was. */
export async function findLiving(
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

/**
 * Answers null when the idempotency key brought back a customer that has been deleted since. The search heals a lost
 * mapping; it lags behind writes, so each hit is looked at, and a miss is no proof, which is what the key is for.
 */
async function adoptOrCreate(deps: BillingDeps, { userId, metadata }: BillingUser, generation: number) {
  const found = await deps.stripe.customers.search({ query: `metadata['user_id']:'${userId}'`, limit: 10 })
  for (const { id } of found.data.toSorted((a, b) => a.created - b.created)) {
    const customer = await findLiving(deps, id)
    if (customer?.metadata.user_id !== userId) continue
    // Handed over, and Stripe has not been told yet, or its search lags: it is somebody else's now.
    const owner = await findUserOfCustomer(deps.database.db, id)
    if (owner === null || owner === userId) return customer
  }
  const idempotencyKey = generation === 0 ? `customer:${userId}` : `customer:${userId}:${generation}`
  const created = await deps.stripe.customers.create({ metadata: { ...metadata, user_id: userId } }, { idempotencyKey })
  const replayed = created.lastResponse.headers['idempotent-replayed'] === 'true'
  return replayed ? findLiving(deps, created.id) : created
}
