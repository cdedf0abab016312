import { z } from 'zod'
import { isOnHold } from '#server/db/restore-hold.ts'
import type { BillingDeps } from '#server/features/billing/subscriptions/billing-deps.ts'
import { readPlanRows } from '#server/features/billing/subscriptions/plan-store.ts'

/** Enqueued with a change of the plans. */
export const syncPlansJob = {
  name: 'sync-plans',
  payload: z.object({ renamed: z.array(z.string()) }),
  // With exponential backoff this outlasts an outage.
  retryLimit: 20,
}

type SyncDeps = Pick<BillingDeps, 'database' | 'config' | 'stripe'>

/** Stripe's limit. */
const maxPortalProducts = 10

/**
 * Gives renamed plans' products their name, which checkout and invoices show, and lets the customer portal switch between
 * the plans on sale. Reads the plans when it runs, so running late or twice is fine.
 */
export async function syncPlans(deps: SyncDeps, { renamed }: z.output<typeof syncPlansJob.payload>): Promise<void> {
  const { db } = deps.database
  // A copy of an instance leaves the products to the original.
  if (await isOnHold(db)) return
  const rows = await readPlanRows(db)
  for (const { key, name, stripeProductId } of rows) {
    if (stripeProductId && renamed.includes(key)) await deps.stripe.products.update(stripeProductId, { name })
  }
  // The portal knows neither seats in use nor the minimum, so people change to plans priced per seat on our pages.
  const products = rows.flatMap(({ retiredAt, perSeat, stripeProductId: product, stripePriceId: price }) =>
    !retiredAt && !perSeat && product && price ? [{ product, prices: [price] }] : [],
  )
  const configuration = await findPortal(deps)
  // A publisher can have turned switching off.
  if (!configuration?.features.subscription_update.enabled || products.length === 0) return
  await deps.stripe.billingPortal.configurations.update(configuration.id, {
    features: { subscription_update: { enabled: true, products: products.slice(0, maxPortalProducts) } },
  })
}

/** The configuration of the server, or the account's default, which Stripe uses without one. */
async function findPortal({ config, stripe }: SyncDeps) {
  const id = config.stripe.kind === 'live' ? config.stripe.portalConfiguration : undefined
  if (id) return stripe.billingPortal.configurations.retrieve(id)
  const { data } = await stripe.billingPortal.configurations.list({ is_default: true, limit: 1 })
  return data[0]
}
