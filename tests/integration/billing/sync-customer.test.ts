import type Stripe from 'stripe'
import { beforeEach, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { graceMs } from '#shared/domain/entitlement.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, dayMs, openBilling, startClock, subscribe, travel, withoutSyncFields } from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
})

async function subscriber(): Promise<{ user: TestUser; customer: string; subscription: Stripe.Subscription }> {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  return { user, customer, subscription }
}

const synced = async (user: TestUser, customer: string) => {
  await syncCustomer(billing.deps, customer)
  const row = await billing.row(user)
  if (!row) throw new Error('no row')
  return row
}

test('the row matches Stripe, and a second sync changes nothing', async () => {
  const { user, customer, subscription } = await subscriber()
  const row = await billing.row(user)
  const [item] = subscription.items.data
  expect(row).toMatchObject({
    stripeSubscriptionId: subscription.id,
    status: 'active',
    productId: billing.productOf('pro_monthly'),
    priceId: billing.priceOf('pro_monthly'),
    currentPeriodEnd: new Date((item?.current_period_end ?? 0) * 1000),
    entitledUntil: new Date((item?.current_period_end ?? 0) * 1000 + dayMs),
    cancelAt: null,
    unpaidSince: null,
  })
  const again = await syncCustomer(billing.deps, customer)
  expect(again?.changed).toBe(false)
  expect(withoutSyncFields(await billing.row(user))).toEqual(withoutSyncFields(row))
})

test('B5: with concurrent syncs on two nodes, a late older one does not overwrite the newer', async () => {
  const { user, customer, subscription } = await subscriber()
  const otherNode = { ...billing.deps, database: { ...billing.deps.database } }
  const older = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/subscriptions?'))
  const late = syncCustomer(otherNode, customer)
  await older.held
  await billing.api.subscriptions.cancel(subscription.id)
  expect((await syncCustomer(billing.deps, customer))?.changed).toBe(true)
  older.release()
  expect(await late).toMatchObject({ changed: false, row: { status: 'canceled' } })
  expect((await billing.row(user))?.status).toBe('canceled')
})

test('syncs requested during a run share one further run', async () => {
  const { customer } = await subscriber()
  billing.proxy.calls.length = 0
  const running = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/subscriptions?'))
  const asked = Array.from({ length: 12 }, () => syncCustomer(billing.deps, customer))
  await running.held
  asked.push(...Array.from({ length: 12 }, () => syncCustomer(billing.deps, customer)))
  running.release()
  await Promise.all(asked)
  expect(billing.proxy.calls.length).toBeLessThanOrEqual(2)
})

test('B20: after a failed renewal, access lasts seven days from the first unpaid invoice', async () => {
  const { user, customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  const end = (await synced(user, customer)).currentPeriodEnd ?? new Date(0)
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * 60 * 60 * 1000))
  const failed = await synced(user, customer)
  expect(failed.status).toBe('past_due')
  expect(failed.currentPeriodEnd?.getTime()).toBeGreaterThan(end.getTime() + 20 * dayMs)
  expect(failed.unpaidSince?.getTime()).toBeGreaterThanOrEqual(end.getTime())
  const until = new Date((failed.unpaidSince?.getTime() ?? 0) + graceMs)
  expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: until.toISOString() })

  await travel(billing.api, clock.id, new Date(until.getTime() - 1000))
  await synced(user, customer)
  expect((await billing.check(user)).subscribed).toBe(true)
  await travel(billing.api, clock.id, until)
  expect((await synced(user, customer)).unpaidSince).toEqual(failed.unpaidSince)
  expect(await billing.check(user)).toEqual({ subscribed: false, product_id: null, subscription_end: null })
})

test('B13: past-due users are sent to the portal to pay, not to a checkout', async () => {
  const { user, customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  const end = (await synced(user, customer)).currentPeriodEnd ?? new Date(0)
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * 60 * 60 * 1000))
  expect(await billing.checkout(user, 'team_monthly')).toMatch(/\/p\/session\//)
  expect(billing.proxy.calls.at(-1)?.body).not.toContain('flow_data')
})

test('B20: a switch that fails late in the period gets the whole grace period, and a second unpaid invoice adds nothing', async () => {
  const { user, customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const start = (await synced(user, customer)).currentPeriodStart ?? new Date(0)
  const day20 = new Date(start.getTime() + 20 * dayMs)
  await travel(billing.api, clock.id, day20)
  const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update(subscription.id, {
    default_payment_method: broken,
    items: [{ id: subscription.items.data[0]?.id ?? '', price: billing.priceOf('team_monthly') }],
    proration_behavior: 'always_invoice',
  })
  const row = await synced(user, customer)
  expect(row.status).toBe('past_due')
  expect(row.entitledUntil?.getTime()).toBeGreaterThanOrEqual(day20.getTime() + graceMs)
  expect((await billing.check(user)).subscribed).toBe(true)

  await travel(billing.api, clock.id, new Date((row.currentPeriodEnd?.getTime() ?? 0) + 2 * 60 * 60 * 1000))
  const open = await billing.api.invoices.list({ subscription: subscription.id, status: 'open' })
  expect(open.data).toHaveLength(2)
  expect(await synced(user, customer)).toMatchObject({ status: 'past_due', entitledUntil: row.entitledUntil })
  expect((await billing.check(user)).subscribed).toBe(false)
})

test.each([
  ['the flag', { cancel_at_period_end: true }, { cancel_at_period_end: false }],
  ['the date', { cancel_at: 'min_period_end' }, { cancel_at: '' }],
] as const)(
  'B21: a cancellation scheduled by %s keeps access to its end, and resuming restores it',
  async (_by, cancel, resume) => {
    const { user, customer, subscription } = await subscriber()
    const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
    await billing.api.subscriptions.update(subscription.id, cancel as Stripe.SubscriptionUpdateParams)
    expect(await synced(user, customer)).toMatchObject({ status: 'active', cancelAt: end, entitledUntil: end })
    expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: end.toISOString() })
    await billing.api.subscriptions.update(subscription.id, resume as Stripe.SubscriptionUpdateParams)
    expect(await synced(user, customer)).toMatchObject({
      cancelAt: null,
      entitledUntil: new Date(end.getTime() + dayMs),
    })
  },
)

test('B22: an immediate cancellation ends access, a refund alone does not', async () => {
  const { user, customer, subscription } = await subscriber()
  const [charge] = (await billing.api.charges.list({ customer })).data
  await billing.api.refunds.create({ charge: charge?.id })
  await synced(user, customer)
  expect((await billing.check(user)).subscribed).toBe(true)
  await billing.api.subscriptions.cancel(subscription.id)
  expect(await synced(user, customer)).toMatchObject({
    status: 'canceled',
    endedAt: expect.any(Date),
    entitledUntil: null,
  })
  expect((await billing.check(user)).subscribed).toBe(false)
})

test('B23: a product that we do not sell gives no access and is not stored as a subscription', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const price = await billing.api.prices.create({
    currency: 'usd',
    unit_amount: 100,
    recurring: { interval: 'month' },
    product_data: { name: 'Something else' },
  })
  await subscribe(billing.api, customer, price.id)
  expect(await synced(user, customer)).toMatchObject({
    status: 'none',
    priceId: null,
    entitledUntil: null,
  })
  expect(await billing.check(user)).toEqual({ subscribed: false, product_id: null, subscription_end: null })
})

test('B27: a customer that was deleted at Stripe leaves an empty state and no mapping', async () => {
  const { user, customer } = await subscriber()
  await billing.api.customers.del(customer)
  expect(await syncCustomer(billing.deps, customer)).toMatchObject({ state: { isDeleted: true }, changed: true })
  expect(await billing.row(user)).toMatchObject({ status: 'none', stripeSubscriptionId: null, entitledUntil: null })
  await expect(billing.customerOf(user)).rejects.toThrow('no customer')
  expect(await syncCustomer(billing.deps, customer)).toBeNull()
})

test('B28: the newer of two live subscriptions is refunded and canceled, even if the first attempt fails midway', async () => {
  const { user, customer, subscription } = await subscriber()
  const newer = await billing.api.subscriptions.create({
    customer,
    items: [{ price: billing.priceOf('team_monthly') }],
  })
  const refund = billing.proxy.holdResponse(({ path, method }) => method === 'POST' && path === '/v1/refunds')
  const broken = syncCustomer(billing.deps, customer)
  await refund.held
  billing.proxy.outage = 'refused'
  refund.dropConnection()
  await expect(broken).rejects.toThrow()
  billing.proxy.outage = null

  const others = Array.from({ length: 2 }, () => ({ ...billing.deps, database: { ...billing.deps.database } }))
  await Promise.all(others.map((node) => syncCustomer(node, customer)))
  expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: subscription.id, status: 'active' })
  expect((await billing.api.subscriptions.retrieve(newer.id)).status).toBe('canceled')
  const charges = (await billing.api.charges.list({ customer })).data
  expect(charges.map(({ amount, amount_refunded }) => [amount, amount_refunded]).toSorted()).toEqual([
    [1000, 0],
    [2000, 2000],
  ])
})

test('B28: renewals of the newer subscription are refunded too', async () => {
  const { customer } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const items = [{ price: billing.priceOf('team_monthly') }]
  const newer = await billing.api.subscriptions.create({ customer, items })
  const renewal = (newer.items.data[0]?.current_period_end ?? 0) * 1000
  await travel(billing.api, clock.id, new Date(renewal + dayMs / 12))
  await syncCustomer(billing.deps, customer)
  const charges = (await billing.api.charges.list({ customer })).data
  expect(charges.map(({ amount, amount_refunded }) => [amount, amount_refunded]).toSorted()).toEqual([
    [1000, 0],
    [1000, 0],
    [2000, 2000],
    [2000, 2000],
  ])
})

test('B33: a customer on a test clock is evaluated at the clock’s time', async () => {
  const { user, customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  await billing.api.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  const { testClockTime, cancelAt } = await synced(user, customer)
  expect(testClockTime?.getTime()).toBe(clock.frozen_time * 1000)
  await travel(billing.api, clock.id, new Date((cancelAt?.getTime() ?? 0) + 1000))
  await synced(user, customer)
  expect((await billing.check(user)).subscribed).toBe(false)
})
