import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { setUpStripe } from '#server/features/billing/subscriptions/stripe/stripe-setup.ts'
import { runStripeSetup } from '#server/set-up-stripe.ts'
import { planKeys, plans } from '#tests/support/default-plans.ts'

let sandbox: Awaited<ReturnType<typeof startStripeSandbox>>
let stripe: Stripe
beforeAll(async () => {
  sandbox = await startStripeSandbox({
    dataFile: ':memory:',
    port: 0,
    // An account without any of our objects.
    seed: {
      products: [],
      prices: [],
      webhook: { url: 'http://127.0.0.1:9/another-app', secret: 'whsec_another_app' },
      portal: { products: [], returnUrl: 'http://localhost:9/' },
    },
  })
  stripe = new Stripe('sk_test_setup', { host: '127.0.0.1', port: sandbox.port, protocol: 'http' })
})
afterAll(() => sandbox.close())

const publicUrl = 'http://localhost:4000'
const options = { publicUrl, webhookUrl: 'http://127.0.0.1:4000/webhooks/stripe' }
const asEnvironment = (lines: string[]) => Object.fromEntries(lines.map((line) => line.split('=')))

async function everything() {
  const [products, prices, portals, endpoints] = await Promise.all([
    stripe.products.list({ limit: 100 }),
    stripe.prices.list({ limit: 100 }),
    stripe.billingPortal.configurations.list({ limit: 100 }),
    stripe.webhookEndpoints.list({ limit: 100 }),
  ])
  return [products, prices, portals, endpoints].map(({ data }) => data)
}

describe('stripe:setup', () => {
  test('creates everything that the server needs, and prints an environment that the server starts with', async () => {
    const { environment, changes } = await setUpStripe(stripe, options)
    expect(changes).toHaveLength(3 + 3 + 1 + 1)
    const config = readConfig({ STRIPE_SECRET_KEY: 'sk_test_setup', ...asEnvironment(environment) })
    if (config.stripe.kind !== 'live') throw new Error('the sandbox was configured')
    for (const key of planKeys) {
      const price = await stripe.prices.retrieve(config.stripe.ids[key].priceId)
      expect(price).toMatchObject({
        product: config.stripe.ids[key].productId,
        lookup_key: key,
        unit_amount: plans[key].priceCents,
        recurring: { interval: plans[key].interval },
      })
    }
    expect(config.stripe.portalConfiguration).toMatch(/^bpc_/)
    expect(config.stripe.webhookSecrets[0]).toMatch(/^whsec_/)
  })

  test('finds everything on the second run, creates nothing twice and keeps the current secret', async () => {
    const before = await everything()
    const { environment, changes, notes } = await setUpStripe(stripe, options)
    expect(changes).toEqual([])
    expect(await everything()).toEqual(before)
    expect(asEnvironment(environment)).not.toHaveProperty('STRIPE_WEBHOOK_SECRET')
    expect(notes).toEqual([expect.stringContaining('keep STRIPE_WEBHOOK_SECRET')])
  })

  test('gives a plan whose price changed a new price with the same lookup key, and the portal offers it', async () => {
    const [old] = (await stripe.prices.list({ lookup_keys: ['pro_monthly'] })).data
    const product = String(old?.product)
    await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 1200,
      recurring: { interval: 'month' },
      lookup_key: 'pro_monthly',
      transfer_lookup_key: true,
    })
    const { environment, changes } = await setUpStripe(stripe, options)
    const price = asEnvironment(environment).STRIPE_PRICE_PRO_MONTHLY
    expect(price).not.toBe(old?.id)
    expect(await stripe.prices.retrieve(String(price))).toMatchObject({ product, unit_amount: 1000 })
    expect(changes).toHaveLength(2)
    expect((await setUpStripe(stripe, options)).changes).toEqual([])
  })

  test('reports errors in a sentence, without the key', async () => {
    const said = async (env: Record<string, string>) => {
      const { lines, succeeded } = await runStripeSetup(env)
      expect(succeeded).toBe(false)
      return lines.join('\n')
    }
    const secret = 'sk_live_abcdefghijklmnop'
    expect(await said({ STRIPE_SECRET_KEY: 'pk_test_1' })).toContain('must be a Stripe secret key')
    expect(await said({ STRIPE_SECRET_KEY: secret })).toContain('PUBLIC_URL: missing')
    expect(await said({ STRIPE_SECRET_KEY: secret, PUBLIC_URL: 'http://x.example' })).toContain('https')
    expect(await said({ STRIPE_SECRET_KEY: secret, STRIPE_SANDBOX_PORT: String(sandbox.port) })).not.toContain(secret)
    expect(await said({ STRIPE_SANDBOX_PORT: '9' })).toContain('isn’t running')
  })

  test('works with the sandbox of a running server', async () => {
    const { lines, succeeded } = await runStripeSetup({ PORT: '4000', STRIPE_SANDBOX_PORT: String(sandbox.port) })
    expect(succeeded).toBe(true)
    expect(lines).toContain('# Nothing to change.')
  })
})
