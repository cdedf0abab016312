import Stripe from 'stripe'
import { type BillingDeps, idOf } from '#server/features/billing/subscriptions/billing-deps.ts'
import { readTaxSettings } from '#server/features/billing/subscriptions/tax-settings.ts'
import type { TaxSettings } from '#shared/contracts/billing/admin-plans.ts'
import type { EditablePlan } from '#shared/domain/plan-problem.ts'

type Wanted = Pick<EditablePlan, 'name' | 'priceCents' | 'currency' | 'interval' | 'intervalCount'> & {
  once?: string | null | undefined
  key: string
  /** Null for a plan that isn't at Stripe yet. */
  productId: string | null
}

/**
 * The plan's product and price at Stripe. Finds those of earlier attempts, so it can be repeated after a crash at any
 * line, and long after Stripe has forgotten the idempotency keys. Call it while holding the lease `plans`,
 * or for a price of a plan that has its product.
 * @param given default: the stored settings
 */
export async function ensureAtStripe(deps: BillingDeps, wanted: Wanted, given?: TaxSettings) {
  const tax = given ?? (await readTaxSettings(deps.database.db)).settings
  const behavior = tax.enabled ? (tax.included ? 'inclusive' : 'exclusive') : null
  const productId = wanted.productId ?? (await findSetUpProduct(deps, wanted)) ?? (await createProduct(deps, wanted))
  return {
    productId,
    priceId:
      (await findPrice(deps, productId, wanted, behavior)) ?? (await createPrice(deps, productId, wanted, behavior)),
  }
}

/** The plan's trial has a product of its own, so that offers for the plan don't reduce its price. */
export const trialProductOf = (key: string): string => `prod_${key}_trial`
export const trialNameOf = (planName: string): string => `${planName} (trial)`

/** The price at Stripe of a plan's trial. */
export const ensureTrialAtStripe = async (
  deps: BillingDeps,
  {
    key,
    name,
    currency,
    trialPriceCents,
  }: Pick<EditablePlan, 'name' | 'currency' | 'trialPriceCents'> & { key: string },
): Promise<string> => {
  const price = { priceCents: trialPriceCents ?? 0, currency, interval: 'month', intervalCount: 1 } as const
  const wanted = { key: `${key}_trial`, name: trialNameOf(name), once: 'forever', productId: null, ...price }
  return (await ensureAtStripe(deps, wanted)).priceId
}

/** The product that `npm run stripe:setup` made for a plan of a new database. */
async function findSetUpProduct({ stripe }: BillingDeps, { key }: Wanted): Promise<string | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 })
  return idOf(data[0]?.product)
}

/** The id follows from the plan, so that it can't be created twice, also without an idempotency key. */
async function createProduct({ stripe }: BillingDeps, { key, name }: Wanted): Promise<string> {
  const id = `prod_${key}`
  try {
    await stripe.products.create({ id, name, metadata: { app: 'front_counter', plan: key } })
  } catch (error) {
    const exists = error instanceof Stripe.errors.StripeError && error.code === 'resource_already_exists'
    if (!exists) throw error
  }
  return id
}

/** Null while tax is off. */
type TaxBehavior = 'inclusive' | 'exclusive' | null

/** Stripe accepts a tax behavior for a price that has none, and never another one. */
async function findPrice(
  { stripe }: BillingDeps,
  product: string,
  wanted: Wanted,
  behavior: TaxBehavior,
): Promise<string | null> {
  let undecided: string | null = null
  for await (const price of stripe.prices.list({
    product,
    active: true,
    type: wanted.once ? 'one_time' : 'recurring',
    limit: 100,
  })) {
    const { unit_amount: amount, currency, recurring, billing_scheme: scheme } = price
    const isWanted =
      amount === wanted.priceCents &&
      currency === wanted.currency &&
      scheme === 'per_unit' &&
      (wanted.once
        ? recurring === null
        : recurring?.interval === wanted.interval &&
          recurring.interval_count === wanted.intervalCount &&
          recurring.usage_type === 'licensed')
    if (!isWanted) continue
    if (!behavior || price.tax_behavior === behavior) return price.id
    if (price.tax_behavior === 'unspecified' || price.tax_behavior === null) undecided ??= price.id
  }
  if (undecided && behavior) await stripe.prices.update(undecided, { tax_behavior: behavior })
  return undecided
}

async function createPrice(
  { stripe }: BillingDeps,
  product: string,
  wanted: Wanted,
  behavior: TaxBehavior,
): Promise<string> {
  const { priceCents, currency, interval, intervalCount, once, key } = wanted
  const every = once ? 'once' : intervalCount === 1 ? interval : `${intervalCount}-${interval}`
  const { id } = await stripe.prices.create(
    {
      product,
      currency,
      unit_amount: priceCents,
      ...(!once && { recurring: { interval, interval_count: intervalCount } }),
      ...(behavior && { tax_behavior: behavior }),
      metadata: { app: 'front_counter', plan: key },
    },
    { idempotencyKey: `plan-price:${product}:${currency}:${priceCents}:${every}${behavior ? `:${behavior}` : ''}` },
  )
  return id
}
