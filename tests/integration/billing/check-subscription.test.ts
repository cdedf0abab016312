import { beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createCheckSubscription } from '#server/features/billing/subscriptions/sync/check-subscription.ts'
import type { Principal } from '#server/http/principal.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, secondMs, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
  billing.proxy.outage = null
})

/** A subscriber with an up-to-date row. */
async function subscriber(): Promise<{ user: TestUser; customer: string; subscription: string }> {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await billing.checkout(user)
  billing.proxy.calls.length = 0
  return { user, customer, subscription: id }
}

const refreshes = () => billing.proxy.calls.filter(({ path }) => path.startsWith('/v1/subscriptions?')).length

test('subscribers get the product and end, other users get neither', async () => {
  const { user } = await subscriber()
  const row = await billing.row(user)
  expect(await billing.check(user)).toEqual({
    subscribed: true,
    product_id: billing.productOf('pro_monthly'),
    subscription_end: row?.currentPeriodEnd?.toISOString(),
  })
  expect(await billing.check(await billing.user())).toEqual({
    subscribed: false,
    product_id: null,
    subscription_end: null,
  })
  expect(billing.proxy.calls).toEqual([])
})

test('the response comes from the principal, even while neither the database nor Stripe can be reached', async () => {
  const { user } = await subscriber()
  const row = await billing.row(user)
  if (!row) throw new Error('no row')
  const who: Pick<Principal, 'userId' | 'subscription' | 'team' | 'complimentaryUntil' | 'hasPendingCheckout'> = {
    userId: user.id,
    subscription: row,
    team: null,
    complimentaryUntil: null,
    hasPendingCheckout: false,
  }
  const database = new Proxy({} as Database, {
    get() {
      throw new Error('The database can’t be reached.')
    },
  })
  billing.proxy.outage = 'refused'
  const answer = await createCheckSubscription({ ...billing.deps, database })(who, {})
  expect(answer.subscribed).toBe(true)
  expect(billing.proxy.calls).toEqual([])
})

test('a refresh syncs at most once in thirty seconds across all nodes', async () => {
  const { user, subscription } = await subscriber()
  await billing.api.subscriptions.cancel(subscription)
  expect((await billing.check(user)).subscribed).toBe(true)
  expect((await billing.check(user, { refresh: true })).subscribed).toBe(false)
  expect(refreshes()).toBe(1)
  await billing.check(user, { refresh: true })
  const row = await billing.row(user)
  const otherNode = createCheckSubscription(billing.deps)
  await otherNode(
    { userId: user.id, subscription: row, team: null, complimentaryUntil: null, hasPendingCheckout: false },
    { refresh: true },
  )
  expect(refreshes()).toBe(1)
  billing.server.clock.advance(31 * secondMs)
  await billing.check(user, { refresh: true })
  expect(refreshes()).toBe(2)
})

test('a refresh without a customer makes no call to Stripe', async () => {
  const user = await billing.user()
  expect((await billing.check(user, { refresh: true })).subscribed).toBe(false)
  expect(billing.proxy.calls).toEqual([])
})

test('each check syncs while a checkout is pending, and stops when it is over', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  billing.proxy.calls.length = 0
  expect((await billing.check(user)).subscribed).toBe(false)
  expect(refreshes()).toBe(1)
  const [session] = (await billing.api.checkout.sessions.list({ customer })).data
  await billing.api.checkout.sessions.expire(session?.id ?? '')
  billing.server.clock.advance(31 * secondMs)
  await billing.check(user)
  expect(await billing.pending(user)).toBeNull()
  billing.server.clock.advance(31 * secondMs)
  await billing.check(user)
  expect(refreshes()).toBe(2)
})

test('the first check after a boundary syncs, later ones don’t', async () => {
  const { user } = await subscriber()
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  const before = billing.server.clock.now
  try {
    billing.server.clock.now = new Date(end.getTime() - secondMs)
    await billing.check(user)
    expect(refreshes()).toBe(0)
    billing.server.clock.now = end
    await billing.check(user)
    expect(refreshes()).toBe(1)
    billing.server.clock.advance(60 * secondMs)
    await billing.check(user)
    expect(refreshes()).toBe(1)
  } finally {
    billing.server.clock.now = before
  }
})

test.each(['refused', 'silent'] as const)(
  'B24: while Stripe is down (%s) a reader is served from the row within 3.5 seconds, and Stripe’s return is noticed',
  async (outage) => {
    const { user, subscription } = await subscriber()
    billing.server.clock.advance(31 * secondMs)
    billing.proxy.outage = outage
    const startedAt = performance.now()
    expect((await billing.check(user, { refresh: true })).subscribed).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(3_500)
    billing.proxy.outage = null
    await billing.api.subscriptions.cancel(subscription)
    billing.server.clock.advance(31 * secondMs)
    expect((await billing.check(user, { refresh: true })).subscribed).toBe(false)
  },
)

test('while Stripe is down, access ends a day after the period', async () => {
  const { user } = await subscriber()
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  billing.proxy.outage = 'refused'
  const before = billing.server.clock.now
  try {
    billing.server.clock.now = new Date(end.getTime() + dayMs - secondMs)
    expect((await billing.check(user)).subscribed).toBe(true)
    billing.server.clock.advance(secondMs)
    expect(await billing.check(user)).toEqual({ subscribed: false, product_id: null, subscription_end: null })
  } finally {
    billing.server.clock.now = before
  }
})
