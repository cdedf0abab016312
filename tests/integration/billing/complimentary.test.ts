import { beforeAll, expect, test } from 'vitest'
import { complimentaryAccess } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
beforeAll(async () => {
  admin = await billing.user({ admin: true })
})

const inDays = (days: number) => new Date(billing.server.clock.now.getTime() + days * dayMs).toISOString()
const grant = (user: TestUser, until: string, note?: string) =>
  billing.call('admin-grant-access', { userId: user.id, until, note }, admin)
const subjects = (user: TestUser) => billing.server.outbox.list(user.email).map(({ subject }) => subject)
const log = async (user: TestUser) =>
  (await billing.call('admin-audit-log', { email: user.email }, admin)).body.items as { event: string; by: string }[]

/** Whether the user gets paid content. */
const reads = async (user: TestUser) => (await billing.call('tools', {}, user)).status === 200

test('complimentary access opens the portal until its exact end and is audited and emailed', async () => {
  const user = await billing.user()
  expect(await reads(user)).toBe(false)
  const until = inDays(30)
  expect(await grant(user, until, 'A friend of the house')).toMatchObject({ status: 200, body: { until } })
  expect(await billing.check(user)).toEqual({ subscribed: true, product_id: null, subscription_end: until })
  expect(await reads(user)).toBe(true)
  expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({ complimentaryUntil: until })
  expect(subjects(user)).toEqual(['You have complimentary access to Front Counter'])
  expect(await log(user)).toEqual([
    expect.objectContaining({ event: 'access_granted', by: admin.email, note: expect.stringContaining('A friend') }),
  ])

  const { clock } = billing.server
  const then = clock.now
  clock.now = new Date(new Date(until).getTime() - 1000)
  expect(await reads(user)).toBe(true)
  clock.now = new Date(until)
  expect(await reads(user)).toBe(false)
  expect(await billing.check(user)).toEqual({ subscribed: false, product_id: null, subscription_end: null })
  clock.now = then
})

test('granting twice changes nothing and sends no email; another date replaces the first', async () => {
  const user = await billing.user()
  const until = inDays(10)
  await Promise.all([grant(user, until), grant(user, until)])
  expect(subjects(user)).toHaveLength(1)
  const later = inDays(20)
  await grant(user, later)
  expect(await billing.check(user)).toMatchObject({ subscription_end: later })
  expect((await billing.db.select().from(complimentaryAccess)).filter((row) => row.userId === user.id)).toHaveLength(1)
})

test('revoking ends access with the next request and works once', async () => {
  const user = await billing.user()
  await grant(user, inDays(10))
  const revoke = () => billing.call('admin-revoke-access', { userId: user.id }, admin)
  expect((await revoke()).body).toEqual({ revoked: true })
  expect(await reads(user)).toBe(false)
  expect((await revoke()).body).toEqual({ revoked: false })
  expect(subjects(user)).toHaveLength(2)
  // Both can have the same millisecond.
  expect((await log(user)).map(({ event }) => event).toSorted()).toEqual(['access_granted', 'access_revoked'])
})

test('a reader’s own plan comes before complimentary access, which takes over when the plan ends', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  const until = inDays(100)
  await grant(user, until)
  expect(await billing.check(user)).toMatchObject({ product_id: billing.productOf('pro_monthly') })
  await billing.api.subscriptions.cancel(subscription.id)
  await syncCustomer(billing.deps, customer)
  expect(await billing.check(user)).toEqual({ subscribed: true, product_id: null, subscription_end: until })
})

test('a past date, an unknown user, a missing step-up and a non-admin are refused without a change', async () => {
  const user = await billing.user()
  expect((await grant(user, inDays(-1))).body.code).toBe('validation_failed')
  expect((await grant(user, inDays(5000))).body.code).toBe('validation_failed')
  expect((await grant({ ...user, id: crypto.randomUUID() }, inDays(5))).status).toBe(404)
  const body = { userId: user.id, until: inDays(5) }
  expect((await billing.call('admin-grant-access', body, user)).status).toBe(403)
  expect((await billing.call('admin-revoke-access', body, user)).status).toBe(403)
  const { clock } = billing.server
  clock.advance(60 * 60 * 1000)
  expect((await grant(user, inDays(5))).body.code).toBe('step_up_required')
  clock.advance(-60 * 60 * 1000)
  expect(await reads(user)).toBe(false)
  expect(subjects(user)).toEqual([])
})
