import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { billingCustomer, pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from './billing-deps.ts'
import { closeBillingAccountJob } from './close-billing-account.ts'
import { findCustomerId, findUserOfCustomer } from './customer.ts'
import { withLease } from './lease.ts'
import { expireCheckoutSessions, listOpenCheckoutSessions } from './open-checkout-sessions.ts'
import { billsOtherProducts, hasEnded, isPlanSubscription } from './plan-subscriptions.ts'
import { isMissing, withStripeErrors } from './stripe-errors.ts'
import { nextSyncSeq } from './subscription-row.ts'
import { syncCustomer } from './sync-customer.ts'
import { updateCustomerEmail } from './update-customer-email.ts'

type MoveDeps = BillingDeps & Pick<Deps, 'enqueue'>
/** Users. */
type Move = { from: string; to: string }

/** What an enqueue needs to know of the job that tells Stripe whose a customer is now. */
export const updateCustomerOwnerJob = {
  name: 'tell-new-payer',
  payload: z.object({ customerId: z.string().min(1).max(255) }),
}

/** While one of these stands, the receiver would have two subscriptions. */
const inTheWay: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/**
 * Runs `move` while neither of the two can begin a checkout and after every checkout of the receiver has been closed: one
 * that was paid a moment ago shows in the look at Stripe that follows, so no payment slips between.
 * @throws AppError has_own_plan, customer_has_other_products, stripe_unavailable
 */
export async function withCheckoutsClosed<T>(
  deps: MoveDeps,
  { from, to }: Move,
  move: (seq: number) => Promise<T>,
): Promise<T> {
  const [first = from, second = to] = [from, to].toSorted()
  return withLease(deps, `billing:${first}`, () =>
    withLease(deps, `billing:${second}`, async () => {
      await withStripeErrors(deps, 'transfer-team', async () => {
        await requirePlansOnly(deps, from)
        await closeCheckouts(deps, to)
      })
      return move(await nextSyncSeq(deps.database.db, 0))
    }),
  )
}

/** The receiver would get the giver's other subscriptions along with the customer, and pay for them. */
async function requirePlansOnly(deps: MoveDeps, userId: string): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  for await (const subscription of deps.stripe.subscriptions.list({ customer: customerId, limit: 100 })) {
    if (!hasEnded(subscription) && billsOtherProducts(deps, subscription))
      throw new AppError('customer_has_other_products')
  }
}

async function closeCheckouts(deps: MoveDeps, userId: string): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  await expireCheckoutSessions(deps, await listOpenCheckoutSessions(deps, customerId))
  await syncCustomer(deps, customerId)
}

/**
 * Makes the customer with its subscription another user's. The receiver's own customer, which has nothing running, is
 * closed; the giver starts anew when they buy again, under another idempotency key. Both rows carry `seq`, so that a look
 * at Stripe which began before does not write the past over them.
 * @throws AppError no_billing_account, has_own_plan
 */
export async function transferCustomer(tx: Tx, deps: MoveDeps, { from, to }: Move, seq: number): Promise<void> {
  const mappings = await tx
    .select()
    .from(billingCustomer)
    .where(inArray(billingCustomer.userId, [from, to]))
    .for('update')
  const customerIdOf = (userId: string) => mappings.find((row) => row.userId === userId)?.stripeCustomerId ?? null
  const customerId = customerIdOf(from)
  const formerId = customerIdOf(to)
  const rows = await tx
    .select()
    .from(subscriptionState)
    .where(inArray(subscriptionState.userId, [from, to]))
    .for('update')
  const given = rows.find((row) => row.userId === from)
  const former = rows.find((row) => row.userId === to)
  if (!customerId || !given) throw new AppError('no_billing_account')
  if (former && inTheWay.has(former.status)) throw new AppError('has_own_plan')

  await tx.delete(pendingCheckout).where(inArray(pendingCheckout.userId, [from, to]))
  await tx
    .update(billingCustomer)
    .set({ stripeCustomerId: null, generation: sql`${billingCustomer.generation} + 1` })
    .where(eq(billingCustomer.userId, from))
  await tx
    .insert(billingCustomer)
    .values({ userId: to, stripeCustomerId: customerId })
    .onConflictDoUpdate({ target: billingCustomer.userId, set: { stripeCustomerId: customerId } })

  const syncSeq = Math.max(seq, ...rows.map((row) => row.syncSeq + 1))
  await tx
    .update(subscriptionState)
    .set({ ...nothing, syncSeq })
    .where(eq(subscriptionState.userId, from))
  const received = { ...given, userId: to, syncSeq, trialUsed: given.trialUsed || (former?.trialUsed ?? false) }
  await tx
    .insert(subscriptionState)
    .values(received)
    .onConflictDoUpdate({ target: subscriptionState.userId, set: received })

  if (formerId) await deps.enqueue(tx, closeBillingAccountJob, { customerId: formerId })
  await deps.enqueue(tx, updateCustomerOwnerJob, { customerId })
}

/** A row without a subscription; whether a trial was used stays with the person. */
const nothing = {
  stripeSubscriptionId: null,
  status: 'none',
  productId: null,
  priceId: null,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAt: null,
  endedAt: null,
  unpaidSince: null,
  entitledUntil: null,
  testClockTime: null,
  cardExpiresAt: null,
}

/**
 * Puts the present owner's id and address on a customer and its subscriptions at Stripe. Reads who that is when it runs,
 * so it may run late, twice, or after a further hand-over.
 */
export async function updateCustomerOwner(deps: BillingDeps, customerId: string): Promise<void> {
  const userId = await findUserOfCustomer(deps.database.db, customerId)
  if (!userId) return
  const metadata = { user_id: userId }
  try {
    await deps.stripe.customers.update(customerId, { metadata })
    await updateCustomerEmail(deps, userId)
    for await (const subscription of deps.stripe.subscriptions.list({ customer: customerId, limit: 100 })) {
      if (isPlanSubscription(deps, subscription)) await deps.stripe.subscriptions.update(subscription.id, { metadata })
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await syncCustomer(deps, customerId)
}
