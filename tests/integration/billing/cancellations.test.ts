import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { planCancellation } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { CancellationsPage } from '#shared/contracts/billing/admin-money.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, openBilling, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
beforeEach(async () => {
  await billing.db.delete(planCancellation)
  admin = await billing.user({ admin: true })
})

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  return { user, customer, subscription }
}
const cancel = (user: TestUser, body: object = {}) =>
  billing.call('cancel-plan', { requestId: randomUUID(), ...body }, user)
const list = async (query: object = {}) => {
  const { status, body } = await billing.call('admin-cancellations', query, admin)
  expect(status).toBe(200)
  return body as unknown as CancellationsPage
}

test('A cancellation is listed with its reason and comment, and disappears when it is undone', async () => {
  const { user, subscription } = await subscriber()
  await cancel(user, { reason: 'too_expensive', comment: 'Next year again' })
  expect(await list()).toEqual({
    reasons: [{ reason: 'too_expensive', count: 1 }],
    items: [
      {
        subscriptionId: subscription.id,
        plan: 'pro_monthly',
        canceledAt: expect.any(String),
        reason: 'too_expensive',
        comment: 'Next year again',
        member: { id: user.id, email: user.email },
      },
    ],
    nextCursor: null,
  })
  expect((await billing.call('resume-plan', { requestId: randomUUID() }, user)).status).toBe(200)
  expect(await list()).toEqual({ reasons: [], items: [], nextCursor: null })
})

test('Reasons are counted, most frequent first, and the list has pages', async () => {
  for (const reason of ['unused', 'too_expensive', 'unused', null]) await cancel((await subscriber()).user, { reason })
  const first = await list({ limit: 3 })
  expect(first.reasons).toEqual([
    { reason: 'unused', count: 2 },
    { reason: 'too_expensive', count: 1 },
    { reason: null, count: 1 },
  ])
  const second = await list({ limit: 3, cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  expect(new Set([...first.items, ...second.items].map(({ subscriptionId }) => subscriptionId)).size).toBe(4)
})

test('A plan that ends because its payments failed is not a cancellation', async () => {
  const { customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  await travel(billing.api, clock.id, new Date(Date.now() + 60 * 24 * 3_600_000))
  const synced = await syncCustomer(billing.deps, customer)
  expect(synced?.row.status).toBe('canceled')
  expect((await list()).items).toEqual([])
})

test('Deleting the account removes the comment and the name, and keeps the reason', async () => {
  const { user } = await subscriber()
  await cancel(user, { reason: 'other', comment: 'I sold the store to my sister' })
  expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
  const { reasons, items } = await list()
  expect(reasons).toEqual([{ reason: 'other', count: 1 }])
  expect(items).toMatchObject([{ comment: null, member: null }])
})

test('Only owners read them', async () => {
  const reader = await billing.user()
  expect((await billing.call('admin-cancellations', {}, reader)).status).toBe(403)
})
