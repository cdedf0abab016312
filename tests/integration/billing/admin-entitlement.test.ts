import { beforeAll, beforeEach, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, deliver, eventsOf, openBilling, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
beforeAll(async () => {
  admin = await billing.user({ admin: true })
})
beforeEach(() => {
  billing.proxy.outage = null
})

const report = async (user: { id: string }) =>
  (await billing.call('admin-entitlement', { userId: user.id }, admin)).body as unknown as EntitlementReport
const syncNow = (user: { id: string }) => billing.call('admin-sync-customer', { userId: user.id }, admin)

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  return { user, customer, subscription }
}

test('a user who never bought has no subscription, no customer and no events', async () => {
  expect(await report(await billing.user())).toEqual({
    entitled: false,
    by: null,
    until: null,
    sentences: ['No subscription.'],
    customerId: null,
    subscription: null,
    team: null,
    complimentary: null,
    sameCard: null,
    events: [],
  })
})

test('a subscriber’s events show what was received, processed and failed', async () => {
  const { user, customer } = await subscriber()
  const events = await eventsOf(billing.api, customer)
  const [first, ...rest] = events.toReversed()
  for (const event of rest) await deliver(billing, event)
  billing.proxy.outage = 'refused'
  expect(await deliver(billing, first ?? {})).toBe(200)
  billing.proxy.outage = null

  const shown = await report(user)
  expect(shown).toMatchObject({
    entitled: true,
    by: 'plan',
    customerId: customer,
    subscription: { status: 'active', plan: 'pro_monthly' },
  })
  expect(shown.sentences[0]).toMatch(/^Paid; renews on /)
  expect(shown.events).toHaveLength(events.length)
  const failed = shown.events.filter(({ processedAt }) => processedAt === null)
  expect(failed).toEqual([expect.objectContaining({ id: first?.id, attempts: 1, error: expect.stringMatching(/\w/) })])
})

test('"Sync with Stripe" corrects the row and lists the changes; a second sync changes nothing', async () => {
  const { user, customer, subscription } = await subscriber()
  await syncCustomer(billing.deps, customer)
  await billing.api.subscriptions.cancel(subscription.id)
  expect(await report(user)).toMatchObject({ entitled: true })
  const { status, body } = await syncNow(user)
  expect(status).toBe(200)
  expect(body.changes).toContainEqual({ field: 'status', before: 'active', after: 'canceled' })
  expect(await report(user)).toMatchObject({
    entitled: false,
    by: null,
    sentences: ['The status at Stripe is “canceled”, which gives no access.'],
  })
  expect((await syncNow(user)).body).toEqual({ changes: [] })
})

test('while Stripe is down, the sync returns an error and keeps the row', async () => {
  const { user, customer } = await subscriber()
  await syncCustomer(billing.deps, customer)
  billing.proxy.outage = 'refused'
  expect(await syncNow(user)).toMatchObject({ status: 502, body: { code: 'stripe_unavailable' } })
  expect(await report(user)).toMatchObject({ entitled: true })
})

test('complimentary access is shown with who granted it and why', async () => {
  const user = await billing.user()
  const until = new Date(billing.server.clock.now.getTime() + 9 * dayMs).toISOString()
  await billing.call('admin-grant-access', { userId: user.id, until, note: 'Press' }, admin)
  expect(await report(user)).toMatchObject({
    entitled: true,
    by: 'complimentary',
    until,
    complimentary: { until, note: 'Press', grantedBy: admin.email },
  })
})

test('only admins can call it, and unknown users return not found', async () => {
  const user = await billing.user()
  for (const name of ['admin-entitlement', 'admin-sync-customer']) {
    expect((await billing.call(name, { userId: user.id }, user)).status).toBe(403)
    expect((await billing.call(name, { userId: user.id })).status).toBe(401)
    expect((await billing.call(name, { userId: crypto.randomUUID() }, admin)).status).toBe(404)
    expect((await billing.call(name, { userId: 'x' }, admin)).status).toBe(400)
  }
  expect((await syncNow(user)).body.code).toBe('no_billing_account')
})
