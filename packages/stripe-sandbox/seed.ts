import { buildConfiguration, defaultFeatures } from './objects/portal-configurations.ts'
import { buildPrice, buildProduct, recurringEvery } from './objects/products-and-prices.ts'
import { buildEndpoint } from './objects/webhook-endpoints.ts'
import type { SandboxSeed } from './options.ts'
import { randomText } from './store/ids.ts'
import type { Store } from './store/store.ts'
import type { Tx } from './tx.ts'
import type { ApiObject, PortalConfiguration, Price, Product, WebhookEndpoint } from './types.ts'
import { requireLoopback } from './webhooks/queue.ts'

const seededEndpoint = 'we_sandbox_app'
const seededConfiguration = 'bpc_sandbox_default'

/** Stores an object without events, unless it is unchanged. */
function keep<T extends ApiObject>(tx: Tx, known: T | undefined, wanted: T, notes = {}): void {
  if (JSON.stringify(known) !== JSON.stringify(wanted)) tx.store.put(wanted, notes)
}

function seedCatalogue(tx: Tx, { products = [], prices = [] }: SandboxSeed): void {
  for (const product of products) {
    const known = tx.store.find<Product>('product', product.id)
    const built = buildProduct(tx, product)
    const { description, metadata, name } = built
    keep(tx, known, known ? { ...known, description, metadata, name } : built)
  }
  for (const price of prices) {
    const known = tx.store.find<Price>('price', price.id)
    const built = buildPrice(tx, { ...price, currency: 'usd', recurring: recurringEvery(price.interval) })
    const since = known && { active: known.active, created: known.created, metadata: known.metadata }
    keep(tx, known, { ...built, ...since })
  }
}

function seedEndpoint(tx: Tx, { url, secret }: NonNullable<SandboxSeed['webhook']>): void {
  requireLoopback(url)
  const known = tx.store.find<WebhookEndpoint>('webhook_endpoint', seededEndpoint)
  const endpoint = known
    ? { ...known, url }
    : { ...buildEndpoint(tx, { description: 'The application', events: ['*'], url }), id: seededEndpoint }
  tx.store.put(endpoint, { secret: secret ?? seededSecret(tx.store) ?? `whsec_${randomText(32)}` })
}

function seedPortal(tx: Tx, { products, returnUrl }: NonNullable<SandboxSeed['portal']>): void {
  const known = tx.store.find<PortalConfiguration>('billing_portal.configuration', seededConfiguration)
  const features = defaultFeatures(products)
  const configuration = buildConfiguration(tx, { features, id: seededConfiguration, isDefault: true, returnUrl })
  keep(tx, known, known ? { ...configuration, created: known.created, updated: known.updated } : configuration)
}

/** The seeded endpoint's signing secret, or null without an endpoint. */
export function seededSecret(store: Store): string | null {
  const { secret } = store.notes<{ secret: string }>(seededEndpoint)
  return secret ?? null
}

/** Creates or updates the catalog, the app's webhook endpoint and the default portal. */
export function applySeed(tx: Tx, seed: SandboxSeed): void {
  seedCatalogue(tx, seed)
  if (seed.webhook) seedEndpoint(tx, seed.webhook)
  if (seed.portal) seedPortal(tx, seed.portal)
}

/** Deletes all data and seeds again. Keeps the settings, the webhook secret and the form tokens. */
export function resetToSeed(tx: Tx, seed: SandboxSeed): void {
  const secret = seededSecret(tx.store)
  for (const table of ['objects', 'events', 'deliveries', 'idempotency']) tx.store.run(`delete from ${table}`)
  applySeed(tx, secret && seed.webhook ? { ...seed, webhook: { ...seed.webhook, secret } } : seed)
}
