import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import { readConfig, type StripeConfig } from '#server/config/config.ts'
import { planKeys, plans } from '#tests/support/default-plans.ts'
import { openStripeProxy, type StripeProxy } from './stripe-proxy.ts'

export type TestStripe = {
  /** The server's Stripe configuration, with the proxy's port. */
  config: StripeConfig
  /** The proxy between server and sandbox, which records requests and simulates outages. */
  proxy: StripeProxy
  /** The sandbox's own port, which bypasses the proxy. */
  port: number
  close(): Promise<void>
}

export type TestStripeOptions = {
  /** Receives webhooks. By default none are delivered, so that a test decides which events arrive. */
  webhookUrl?: string
  /** SQLite file. Default: in memory. */
  dataFile?: string
  /** The sandbox's wall clock in milliseconds. Default: the real time. */
  now?: () => number
}

/** Starts the Stripe sandbox with the real plans, on a free port behind a proxy. */
export async function startTestStripe(options: TestStripeOptions = {}): Promise<TestStripe> {
  const proxy = await openStripeProxy()
  const { stripe: base, publicUrl } = readConfig({ NODE_ENV: 'test' })
  if (base.kind !== 'sandbox') throw new Error('tests run against the sandbox only')
  const { ids, webhookSecrets } = base
  const sandbox = await startStripeSandbox({
    dataFile: options.dataFile ?? ':memory:',
    port: 0,
    now: options.now,
    seed: {
      products: planKeys.map((key) => ({ id: ids[key].productId, name: plans[key].name })),
      prices: planKeys.map((key) => ({
        id: ids[key].priceId,
        product: ids[key].productId,
        unitAmount: plans[key].priceCents,
        interval: plans[key].interval,
        lookupKey: key,
      })),
      webhook: { url: options.webhookUrl ?? 'http://127.0.0.1:9/nowhere', secret: webhookSecrets[0] ?? '' },
      portal: {
        products: planKeys.map((key) => ({ product: ids[key].productId, prices: [ids[key].priceId] })),
        returnUrl: `${publicUrl}/portal`,
      },
    },
  })
  proxy.pointTo(sandbox.port)
  return {
    // The configuration is frozen; a test of a rotation adds a secret.
    config: { ...base, port: proxy.port, webhookSecrets: [...webhookSecrets] },
    proxy,
    port: sandbox.port,
    async close() {
      await proxy.close()
      await sandbox.close()
    },
  }
}
