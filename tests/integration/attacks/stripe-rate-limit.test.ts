import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { openBilling, subscribe } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openStripeProxy } from '#tests/support/stripe-proxy.ts'

const billing = openForTests(() => openBilling())

async function subscriber(): Promise<TestUser> {
  const user = await billing.user()
  await billing.checkout(user)
  await subscribe(billing.api, await billing.customerOf(user), billing.priceOf('pro_monthly'))
  await billing.check(user, { refresh: true })
  billing.server.clock.advance(61_000)
  billing.proxy.calls.length = 0
  return user
}

/** Another process on the same database, with empty caches. */
const anotherNode = (config = billing.deps.config.stripe) => {
  const { deps } = billing.server
  return { app: createApp({ ...deps, stripe: createStripe(config), database: { ...deps.database } }) }
}

/** A node with its own proxy, which late calls of other nodes don't reach. */
async function nodeWithProxy() {
  const proxy = await openStripeProxy()
  onTestFinished(() => proxy.close())
  proxy.pointTo(billing.sandboxPort)
  const { stripe } = billing.deps.config
  if (stripe.kind !== 'sandbox') throw new Error('tests run against the sandbox only')
  return { node: anotherNode({ ...stripe, port: proxy.port }), proxy }
}

const overview = (node: Parameters<typeof call>[0], user: TestUser) => call(node, 'billing-overview', {}, user.token)

describe('10.7: one reader cannot use up the Stripe rate limit', () => {
  test('a hundred concurrent overviews make one call to Stripe', async () => {
    const user = await subscriber()
    const answers = await Promise.all(Array.from({ length: 100 }, () => overview(billing.server, user)))
    expect(answers.every(({ status, body }) => status === 200 && body.stripe !== null)).toBe(true)
    expect(billing.proxy.calls.length).toBeLessThanOrEqual(6)
  })

  test('across all nodes an account has a limit of calls per minute, then gets 429 with a retry time, and others are served', async () => {
    const [user, other] = [await subscriber(), await subscriber()]
    const nodes = Array.from({ length: 80 }, anotherNode)
    const answers = await Promise.all(nodes.map((node) => overview(node, user)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBe(20)
    expect(refused[0]?.body).toMatchObject({ code: 'over_request_rate_limit' })
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect(billing.proxy.calls.length).toBeLessThanOrEqual(300)
    const priceId = billing.priceOf('pro_yearly')
    expect((await billing.call('preview-switch', { priceId }, user)).status).toBe(429)
    expect((await billing.call('create-checkout', { priceId }, user)).status).toBe(429)
    expect((await overview(billing.server, other)).status).toBe(200)
    billing.server.clock.advance(61_000)
    expect((await overview(billing.server, user)).status).toBe(200)
  })

  test('a cached overview never hides the member’s own action, here or at Stripe', async () => {
    const user = await subscriber()
    expect((await overview(billing.server, user)).body).toMatchObject({ status: 'active' })
    await billing.call('cancel-plan', { requestId: randomUUID() }, user)
    const canceled = await overview(billing.server, user)
    expect(canceled.body).toMatchObject({ status: 'ending', stripe: { nextPayment: null } })

    await billing.call('update-card', {}, user)
    await overview(billing.server, user)
    const customer = await billing.customerOf(user)
    const { id } = await billing.api.paymentMethods.attach('pm_card_mastercard', { customer })
    const [subscription] = (await billing.api.subscriptions.list({ customer })).data
    await billing.api.subscriptions.update(subscription?.id ?? '', { default_payment_method: id })
    expect((await overview(billing.server, user)).body).toMatchObject({ stripe: { card: { brand: 'mastercard' } } })
  })
})

describe('10.7: when Stripe answers 429', () => {
  test('the server makes no call until Retry-After has passed, and says so', async () => {
    const user = await subscriber()
    // On a busy machine the first sync can outlast the call that started it.
    await expect.poll(async () => (await billing.row(user))?.status, { timeout: 30_000 }).toBe('active')
    const { node, proxy } = await nodeWithProxy()
    const startedAt = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(startedAt)
    onTestFinished(() => clock.mockRestore())
    proxy.rateLimited = { retryAfterSeconds: 30 }
    for (let count = 0; count < 10; count += 1) {
      clock.mockReturnValue(startedAt + count * 3_000)
      const answer = await call(node, 'customer-portal', {}, user.token)
      expect(answer).toMatchObject({ status: 503, body: { code: 'stripe_busy' } })
      expect(answer.headers.get('Retry-After')).toBe(String(30 - count * 3))
    }
    expect(proxy.calls).toHaveLength(1)
    expect((await overview(node, user)).body).toMatchObject({ status: 'active', stripe: null })
    expect(proxy.calls).toHaveLength(1)

    proxy.rateLimited = null
    clock.mockReturnValue(startedAt + 30_000)
    expect((await call(node, 'customer-portal', {}, user.token)).status).toBe(200)
    expect(proxy.calls).toHaveLength(2)
  })

  test('the call waits for a short pause and then succeeds', async () => {
    const user = await subscriber()
    const { node, proxy } = await nodeWithProxy()
    proxy.rateLimited = { retryAfterSeconds: 0.01, once: true }
    const opened = await call(node, 'customer-portal', {}, user.token)
    expect(opened).toMatchObject({ status: 200, body: { url: expect.stringContaining('/p/session/') } })
    expect(proxy.calls).toHaveLength(2)
  })
})
