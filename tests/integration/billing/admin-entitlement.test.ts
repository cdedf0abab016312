import { beforeAll, beforeEach, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/sync-customer.ts'
import type { EntitlementReport } from '#shared/contracts/admin-billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, deliver, eventsOf, openBilling, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
beforeAll(async () => {
  admin = await billing.user({ admin: true })
})
beforeEach(() => {
  billing.gate.outage = null
})

const report = async (user: { id: string }) =>
  (await billing.call('admin-entitlement', { user_id: user.id }, admin)).body as unknown as EntitlementReport
const checkNow = (user: { id: string }) => billing.call('admin-check-stripe', { user_id: user.id }, admin)

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  return { user, customer, subscription }
}

test('somebody who never bought has no subscription, no customer and no events', async () => {
  expect(await report(await billing.user())).toEqual({
    entitled: false,
    by: null,
    until: null,
    words: ['No subscription of their own.'],
    customer_id: null,
    subscription: null,
    team: null,
    gift: null,
    events: [],
  })
})

test('the ledger behind a subscriber shows what came, what was done with it and what failed', async () => {
  const { user, customer } = await subscriber()
  const events = await eventsOf(billing.api, customer)
  const [first, ...rest] = events.toReversed()
  for (const event of rest) await deliver(billing, event)
  billing.gate.outage = 'refused'
  expect(await deliver(billing, first ?? {})).toBe(500)
  billing.gate.outage = null

  const shown = await report(user)
  expect(shown).toMatchObject({
    entitled: true,
    by: 'plan',
    customer_id: customer,
    subscription: { status: 'active', plan: 'pro_monthly' },
  })
  expect(shown.words[0]).toMatch(/^Paid; renews on /)
  expect(shown.events).toHaveLength(events.length)
  const failed = shown.events.filter(({ processed_at }) => processed_at === null)
  expect(failed).toEqual([expect.objectContaining({ id: first?.id, attempts: 1, error: expect.stringMatching(/\w/) })])
})

test('"Check with Stripe now" repairs the row and says what was wrong; a second look finds nothing', async () => {
  const { user, customer, subscription } = await subscriber()
  await syncCustomer(billing.deps, customer)
  await billing.api.subscriptions.cancel(subscription.id)
  expect(await report(user)).toMatchObject({ entitled: true })
  const { status, body } = await checkNow(user)
  expect(status).toBe(200)
  expect(body.changes).toContainEqual({ field: 'status', before: 'active', after: 'canceled' })
  expect(await report(user)).toMatchObject({
    entitled: false,
    by: null,
    words: ['Stripe says "canceled", which opens nothing.'],
  })
  expect((await checkNow(user)).body).toEqual({ changes: [] })
})

test('Stripe away is told as such, and the row stands', async () => {
  const { user, customer } = await subscriber()
  await syncCustomer(billing.deps, customer)
  billing.gate.outage = 'refused'
  expect(await checkNow(user)).toMatchObject({ status: 502, body: { code: 'stripe_unavailable' } })
  expect(await report(user)).toMatchObject({ entitled: true })
})

test('a gift is named with who gave it and why', async () => {
  const user = await billing.user()
  const until = new Date(billing.server.clock.now.getTime() + 9 * dayMs).toISOString()
  await billing.call('admin-grant-access', { user_id: user.id, until, note: 'Press' }, admin)
  expect(await report(user)).toMatchObject({
    entitled: true,
    by: 'gift',
    until,
    gift: { until, note: 'Press', granted_by: admin.email },
  })
})

test('nobody but an admin asks, and an unknown account is no account', async () => {
  const user = await billing.user()
  for (const name of ['admin-entitlement', 'admin-check-stripe']) {
    expect((await billing.call(name, { user_id: user.id }, user)).status).toBe(403)
    expect((await billing.call(name, { user_id: user.id })).status).toBe(401)
    expect((await billing.call(name, { user_id: crypto.randomUUID() }, admin)).status).toBe(404)
    expect((await billing.call(name, { user_id: 'x' }, admin)).status).toBe(400)
  }
  expect((await checkNow(user)).body.code).toBe('no_billing_account')
})
