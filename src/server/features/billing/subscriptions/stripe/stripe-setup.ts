import type Stripe from 'stripe'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { publicationDefaults } from '#shared/publication-defaults.ts'
import { handledEventTypes } from '../webhooks/webhook-events.ts'

/** Those of a new database. Plans that the owner creates make their products and prices themselves. */
const { plans } = publicationDefaults

/** Metadata that identifies our objects in the Stripe account. */
const appMetadata = { app: 'front_counter' } as const

export type SetupResult = {
  /** Environment variables for the server, as `NAME=value`. */
  environment: string[]
  /** Created or changed objects. */
  changes: string[]
  /** Hints about remaining steps. */
  notes: string[]
}

type Options = { publicUrl: string; webhookUrl?: string }

/**
 * Creates products, prices, the portal configuration and the webhook endpoint, or finds existing ones: prices by lookup
 * key, the rest by metadata or URL. Idempotent.
 */
export async function setUpStripe(stripe: Stripe, { publicUrl, webhookUrl }: Options): Promise<SetupResult> {
  const result: SetupResult = { environment: [], changes: [], notes: [] }
  const known = await stripe.prices.list({ lookup_keys: plans.map(({ key }) => key), active: true, limit: 100 })
  const sold = new Map<PlanKey, { product: string; price: string }>()
  for (const { key } of plans) {
    const price = known.data.find(({ lookup_key }) => lookup_key === key)
    sold.set(key, await ensurePrice(stripe, key, price, result))
  }
  const configuration = await ensurePortal(stripe, publicUrl, [...sold.values()], result)
  const secret = await ensureEndpoint(stripe, webhookUrl ?? `${publicUrl}/webhooks/stripe`, result)
  for (const [key, { product, price }] of sold) {
    const name = key.toUpperCase()
    result.environment.push(`STRIPE_PRODUCT_${name}=${product}`, `STRIPE_PRICE_${name}=${price}`)
  }
  result.environment.push(`STRIPE_PORTAL_CONFIGURATION=${configuration}`)
  if (secret) result.environment.push(`STRIPE_WEBHOOK_SECRET=${secret}`)
  return result
}

/** Prices are immutable: a new amount needs a new price, which takes over the lookup key. */
async function ensurePrice(stripe: Stripe, key: PlanKey, known: Stripe.Price | undefined, result: SetupResult) {
  const { priceCents, currency, interval } = planOf(publicationDefaults, key)
  const fits =
    known?.unit_amount === priceCents &&
    known.currency === currency &&
    known.recurring?.interval === interval &&
    known.recurring.interval_count === 1
  if (known && fits) return { product: productOf(known), price: known.id }
  const product = known ? productOf(known) : await ensureProduct(stripe, key, result)
  const price = await stripe.prices.create({
    product,
    currency,
    unit_amount: priceCents,
    recurring: { interval },
    lookup_key: key,
    transfer_lookup_key: true,
    metadata: appMetadata,
  })
  result.changes.push(`price of ${planOf(publicationDefaults, key).name}: ${price.id}`)
  return { product, price: price.id }
}

const productOf = ({ product }: Stripe.Price): string => (typeof product === 'string' ? product : product.id)

async function ensureProduct(stripe: Stripe, key: PlanKey, result: SetupResult): Promise<string> {
  for await (const { id, metadata } of stripe.products.list({ active: true, limit: 100 })) {
    if (metadata.app === appMetadata.app && metadata.plan === key) return id
  }
  const { id } = await stripe.products.create({
    name: planOf(publicationDefaults, key).name,
    metadata: { ...appMetadata, plan: key },
  })
  result.changes.push(`product ${planOf(publicationDefaults, key).name}: ${id}`)
  return id
}

/** Customers can switch and cancel plans and replace cards, but not change quantities, which we don't use. */
async function ensurePortal(
  stripe: Stripe,
  publicUrl: string,
  sold: { product: string; price: string }[],
  result: SetupResult,
): Promise<string> {
  const wanted = {
    default_return_url: `${publicUrl}/portal`,
    business_profile: { headline: 'Cancel here, or on your account’s Billing page.' },
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price', 'promotion_code'],
        proration_behavior: 'always_invoice',
        products: sold.map(({ product, price }) => ({ product, prices: [price] })),
      },
      subscription_cancel: {
        enabled: true,
        mode: 'at_period_end',
        cancellation_reason: {
          enabled: true,
          options: ['too_expensive', 'unused', 'missing_features', 'low_quality', 'switched_service', 'other'],
        },
      },
      payment_method_update: { enabled: true },
      invoice_history: { enabled: true },
    },
    metadata: { ...appMetadata },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams
  const soldJson = JSON.stringify(sold)
  for await (const known of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (known.metadata?.app !== appMetadata.app) continue
    const same =
      known.default_return_url === wanted.default_return_url &&
      known.business_profile.headline === wanted.business_profile.headline &&
      known.metadata.sold === toMetadataValue(soldJson)
    if (same) return known.id
    await stripe.billingPortal.configurations.update(known.id, {
      ...wanted,
      metadata: { ...appMetadata, sold: toMetadataValue(soldJson) },
    })
    result.changes.push(`portal configuration updated: ${known.id}`)
    return known.id
  }
  const { id } = await stripe.billingPortal.configurations.create({
    ...wanted,
    metadata: { ...appMetadata, sold: toMetadataValue(soldJson) },
  })
  result.changes.push(`portal configuration: ${id}`)
  return id
}

/** Truncates to Stripe's limit for metadata values. */
const toMetadataValue = (text: string): string => text.slice(0, 500)

/** Returns the signing secret of a new endpoint, or null for an existing one, whose secret the API doesn't return. */
async function ensureEndpoint(stripe: Stripe, url: string, result: SetupResult): Promise<string | null> {
  const events = [...handledEventTypes]
  for await (const known of stripe.webhookEndpoints.list({ limit: 100 })) {
    if (known.url !== url) continue
    const hasAllEvents =
      known.enabled_events.includes('*') || events.every((type) => known.enabled_events.includes(type))
    if (!hasAllEvents || known.status !== 'enabled') {
      await stripe.webhookEndpoints.update(known.id, { enabled_events: events, disabled: false })
      result.changes.push(`webhook endpoint updated: ${known.id}`)
    }
    result.notes.push(
      'The webhook endpoint already exists; keep STRIPE_WEBHOOK_SECRET. If you lost it, copy it from the endpoint’s page in the Stripe Dashboard.',
    )
    return null
  }
  const { id, secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: events,
    description: publicationDefaults.name,
  })
  result.changes.push(`webhook endpoint: ${id}`)
  return secret ?? null
}
