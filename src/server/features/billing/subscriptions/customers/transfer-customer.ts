import { eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { billingCustomer, pendingCheckout, subscriptionState } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import type { BillingDeps } from '../billing-deps.ts'
import { expireCheckoutSessions, listOpenCheckoutSessions } from '../checkout/open-checkout-sessions.ts'
import { isMissing, withStripeErrors } from '../stripe/stripe-errors.ts'
import { withLease } from '../sync/lease.ts'
import { billsOtherProducts, hasEnded, isPlanSubscription } from '../sync/plan-subscriptions.ts'
import { nextSyncSeq } from '../sync/subscription-row.ts'
import { syncCustomer } from '../sync/sync-customer.ts'
import { closeBillingAccountJob } from './close-billing-account.ts'
import { updateCustomerEmail } from './ensure-customer.ts'
import { findCustomerId, findUserOfCustomer } from './stripe-customer-ids.ts'

type TransferDeps = BillingDeps & Pick<Deps, 'enqueue'>
/** User ids. */
type Transfer = { from: string; to: string }

/** Updates the owner of a customer at Stripe. */
export const updateCustomerOwnerJob = {
  name: 'tell-new-payer',
  payload: z.object({ customerId: z.string().min(1).max(255) }),
}

/** With one of these statuses, the recipient would end up with two subscriptions. */
const blockingStatuses: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/**
 * Runs `transfer` while neither user can start a checkout, after the recipient's open checkouts were expired and synced.
 * That way a checkout that was just paid is found.
 * @throws AppError has_own_plan, customer_has_other_products, stripe_unavailable
 */
export async function withCheckoutsClosed<T>(
  deps: TransferDeps,
  { from, to }: Transfer,
  transfer: (seq: number) => Promise<T>,
): Promise<T> {
  const [first = from, second = to] = [from, to].toSorted()
  return withLease(deps, `billing:${first}`, () =>
    withLease(deps, `billing:${second}`, async () => {
      await withStripeErrors(deps, 'transfer-team', async () => {
        await requirePlansOnly(deps, from)
        await closeCheckouts(deps, to)
      })
      return transfer(await nextSyncSeq(deps.database, 0))
    }),
  )
}

/** Refuses customers with other products: the recipient would get those too and pay for them. */
async function requirePlansOnly(deps: TransferDeps, userId: string): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  for await (const subscription of deps.stripe.subscriptions.list({ customer: customerId, limit: 100 })) {
    if (!hasEnded(subscription) && billsOtherProducts(deps, subscription))
      throw new AppError('customer_has_other_products')
  }
}

async function closeCheckouts(deps: TransferDeps, userId: string): Promise<void> {
  const customerId = await findCustomerId(deps.database.db, userId)
  if (!customerId) return
  await expireCheckoutSessions(deps, await listOpenCheckoutSessions(deps, customerId))
  await syncCustomer(deps, customerId)
}

/**
 * Assigns the customer and its subscription to another user and closes the recipient's old customer. The former owner
 * gets a new customer with their next purchase. Both rows get `seq`, so that earlier syncs can't overwrite them.
 * @throws AppError no_billing_account, has_own_plan
 */
export async function transferCustomer(tx: Tx, deps: TransferDeps, { from, to }: Transfer, seq: number): Promise<void> {
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
  const transferred = rows.find((row) => row.userId === from)
  const former = rows.find((row) => row.userId === to)
  if (!customerId || !transferred) throw new AppError('no_billing_account')
  if (former && blockingStatuses.has(former.status)) throw new AppError('has_own_plan')

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
    .set({ ...noSubscription, syncSeq })
    .where(eq(subscriptionState.userId, from))
  const received = {
    ...transferred,
    userId: to,
    syncSeq,
    trialUsed: transferred.trialUsed || (former?.trialUsed ?? false),
  }
  await tx
    .insert(subscriptionState)
    .values(received)
    .onConflictDoUpdate({ target: subscriptionState.userId, set: received })

  if (formerId) await deps.enqueue(tx, closeBillingAccountJob, { customerId: formerId })
  await deps.enqueue(tx, updateCustomerOwnerJob, { customerId })
}

/** Clears the subscription but keeps `trialUsed`, which stays with the user. */
const noSubscription = {
  stripeSubscriptionId: null,
  status: 'none',
  productId: null,
  priceId: null,
  priceCents: null,
  priceCurrency: null,
  priceInterval: null,
  priceIntervalCount: null,
  quantity: 1,
  seatsAfterRenewal: null,
  seatsPaid: null,
  seatsChangeAt: null,
  startedAt: null,
  discountEndsAt: null,
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAt: null,
  pauseStartsAt: null,
  pauseEndsAt: null,
  endedAt: null,
  unpaidSince: null,
  entitledUntil: null,
  testClockTime: null,
  cardExpiresAt: null,
  cardHash: null,
}

/**
 * Sets the current owner's id and email on the customer and its subscriptions at Stripe. Reads the owner when it runs, so
 * running late or twice is fine.
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
