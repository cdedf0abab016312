import { desc, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { stripeDashboardUrl } from '#server/config/stripe.ts'
import { duplicateSubscription } from '#server/db/schema/index.ts'
import type { OtherSubscriptions } from '#shared/contracts/billing/admin-billing.ts'
import { type BillingDeps, fromSeconds, idOf } from '../billing-deps.ts'
import { findCustomerId } from '../customers/stripe-customer-ids.ts'
import { planOfProduct } from '../stripe/plan-ids.ts'
import { describeFailure } from '../stripe/stripe-errors.ts'
import { interactiveRequest } from '../stripe/stripe-overview.ts'
import { billsOtherProducts, isPlanSubscription, sellsPlan } from './plan-subscriptions.ts'
import { listSubscriptions } from './read-customer-state.ts'

/** A user's subscriptions to other products of the Stripe account, which we never change. For the admin page. */
export async function readOtherSubscriptions(deps: BillingDeps, userId: string): Promise<OtherSubscriptions> {
  const { db } = deps.database
  const [customerId, duplicates] = await Promise.all([
    findCustomerId(db, userId),
    db
      .select()
      .from(duplicateSubscription)
      .where(eq(duplicateSubscription.userId, userId))
      .orderBy(desc(duplicateSubscription.detectedAt)),
  ])
  return {
    subscriptions: customerId ? await readAtStripe(deps, customerId) : [],
    duplicates: duplicates.map((row) => ({
      subscriptionId: row.subscriptionId,
      plan: planOfProduct(deps.config, row.productId) ?? null,
      outcome: row.outcome === 'left_active' ? 'left_active' : 'canceled',
      refundedCents: row.refundedCents,
      currency: row.currency,
      detectedAt: row.detectedAt.toISOString(),
    })),
  }
}

async function readAtStripe(deps: BillingDeps, customerId: string): Promise<OtherSubscriptions['subscriptions']> {
  try {
    const all = await listSubscriptions(deps, customerId, interactiveRequest)
    const others = all.filter((one) => billsOtherProducts(deps, one))
    const names = await readProductNames(deps, others)
    return others.map((one) => describe(deps, one, names))
  } catch (error) {
    deps.logger.warn({ customerId, ...describeFailure(error) }, 'failed to read other subscriptions')
    return null
  }
}

async function readProductNames(deps: BillingDeps, subscriptions: readonly Stripe.Subscription[]) {
  const ids = [...new Set(subscriptions.flatMap((one) => otherItems(deps, one).map(productOfItem)))]
  const names = new Map<string, string>()
  // Stripe accepts 100 ids per call.
  for (let from = 0; from < ids.length; from += 100) {
    const page = await deps.stripe.products.list({ ids: ids.slice(from, from + 100), limit: 100 }, interactiveRequest)
    for (const { id, name } of page.data) names.set(id, name)
  }
  return names
}

const productOfItem = ({ price }: Stripe.SubscriptionItem) => idOf(price.product) ?? ''

function otherItems(deps: BillingDeps, { items }: Stripe.Subscription): Stripe.SubscriptionItem[] {
  const isPlan = sellsPlan(deps)
  return items.data.filter((item) => !isPlan(item))
}

function describe(deps: BillingDeps, subscription: Stripe.Subscription, names: ReadonlyMap<string, string>) {
  const { id, status, currency, created, ended_at, customer } = subscription
  const items = otherItems(deps, subscription)
  const { interval = 'month', interval_count: count = 1 } = items[0]?.price.recurring ?? {}
  return {
    id,
    name: items.map((item) => names.get(productOfItem(item)) ?? productOfItem(item)).join(', '),
    status,
    amountCents: items.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0),
    currency,
    interval: count === 1 ? interval : `${count} ${interval}s`,
    createdAt: fromSeconds(created).toISOString(),
    endedAt: ended_at === null ? null : fromSeconds(ended_at).toISOString(),
    withPlan: isPlanSubscription(deps, subscription),
    url: stripeDashboardUrl(deps.config.stripe, { subscription: id, customer: idOf(customer) ?? '' }),
  }
}
