import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import { readConfig, type StripeConfig } from '#server/config/config.ts'
import { planKeys, plans } from '#shared/domain/plans.ts'
import { openStripeGate, type StripeGate } from './stripe-gate.ts'

export type TestStripe = {
  /** What the server is configured with; its port is the gate's. */
  config: StripeConfig
  /** Between the server and the sandbox: counts calls, delays answers, plays an outage. */
  gate: StripeGate
  /** The sandbox's own port, past the gate. */
  port: number
  close(): Promise<void>
}

export type TestStripeOptions = {
  /** Where webhooks go; by default nowhere, so that a test decides which events arrive. */
  webhookUrl?: string
  /** SQLite file; in memory by default. */
  dataFile?: string
  /** The sandbox's wall clock in milliseconds; the real one by default. */
  now?: () => number
}

/** The Stripe sandbox with the real catalogue, on a free port behind a gate. */
export async function startTestStripe(options: TestStripeOptions = {}): Promise<TestStripe> {
  const gate = await openStripeGate()
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
  gate.pointTo(sandbox.port)
  return {
    config: { ...base, port: gate.port },
    gate,
    port: sandbox.port,
    async close() {
      await gate.close()
      await sandbox.close()
    },
  }
}
