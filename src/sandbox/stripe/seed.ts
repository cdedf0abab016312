import { buildPrice, buildProduct, recurringEvery } from './objects/catalogue.ts'
import { buildConfiguration, defaultFeatures } from './objects/portal-configurations.ts'
import { buildEndpoint, requireLoopback } from './objects/webhook-endpoints.ts'
import type { StripeSandboxOptions } from './options.ts'
import type { Tx } from './tx.ts'
import type { ApiObject, PortalConfiguration, Price, Product, WebhookEndpoint } from './types.ts'

const seededEndpoint = 'we_sandbox_app'
const seededConfiguration = 'bpc_sandbox_default'

/** Seeding announces nothing: the catalogue is there as if it always had been. Unchanged objects stay untouched. */
function keep<T extends ApiObject>(tx: Tx, known: T | undefined, wanted: T, notes = {}): void {
  if (JSON.stringify(known) !== JSON.stringify(wanted)) tx.store.put(wanted, notes)
}

/** Creates the catalogue, the app's webhook endpoint and the default portal, or brings them up to date. */
export function applySeed(tx: Tx, seed: StripeSandboxOptions['seed']): void {
  for (const product of seed.products) {
    const known = tx.store.find<Product>('product', product.id)
    const built = buildProduct(tx, product)
    keep(
      tx,
      known,
      known ? { ...known, description: built.description, metadata: built.metadata, name: built.name } : built,
    )
  }
  for (const price of seed.prices) {
    const known = tx.store.find<Price>('price', price.id)
    const built = buildPrice(tx, { ...price, currency: 'usd', recurring: recurringEvery(price.interval) })
    keep(
      tx,
      known,
      known ? { ...built, active: known.active, created: known.created, metadata: known.metadata } : built,
    )
  }
  requireLoopback(seed.webhook.url)
  const endpoint = tx.store.find<WebhookEndpoint>('webhook_endpoint', seededEndpoint)
  const wanted = endpoint
    ? { ...endpoint, url: seed.webhook.url }
    : {
        ...buildEndpoint(tx, { description: 'The application', events: ['*'], url: seed.webhook.url }),
        id: seededEndpoint,
      }
  tx.store.put(wanted, { secret: seed.webhook.secret })
  const known = tx.store.find<PortalConfiguration>('billing_portal.configuration', seededConfiguration)
  const features = defaultFeatures(seed.portal.products)
  const configuration = buildConfiguration(tx, {
    features,
    id: seededConfiguration,
    isDefault: true,
    returnUrl: seed.portal.returnUrl,
  })
  keep(tx, known, known ? { ...configuration, created: known.created, updated: known.updated } : configuration)
}

/** Throws away all that happened and seeds again; settings and the address of open forms stay. */
export function resetToSeed(tx: Tx, seed: StripeSandboxOptions['seed']): void {
  for (const table of ['objects', 'events', 'deliveries', 'idempotency']) tx.store.run(`delete from ${table}`)
  applySeed(tx, seed)
}
