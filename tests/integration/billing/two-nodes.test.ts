import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { rateLimits } from '#server/db/schema/index.ts'
import { tryLease, withLease } from '#server/features/billing/lease.ts'
import { syncCustomer } from '#server/features/billing/sync-customer.ts'
import { call } from '#tests/support/client-for.ts'
import { type Billing, openBilling, subscribe } from './support.ts'

let billing: Billing
beforeAll(async () => {
  billing = await openBilling()
})
afterAll(() => billing.close())

/** A server that shares nothing with the first but the database, as another process would. */
const anotherNode = () => ({ ...billing.deps, database: { ...billing.deps.database } })

test('B11: clicks on two nodes at once end in one customer and one open checkout', async () => {
  const user = await billing.user()
  const apps = [billing.server.app, createApp(anotherNode())]
  const priceId = billing.priceOf('pro_monthly')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const app = apps[index % 2] ?? billing.server.app
      return call({ app }, 'create-checkout', { priceId }, user.token)
    }),
  )
  expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1)
  const found = await billing.api.customers.search({ query: `metadata['user_id']:'${user.id}'` })
  expect(found.data).toHaveLength(1)
  const open = await billing.api.checkout.sessions.list({ customer: found.data[0]?.id, status: 'open' })
  expect(open.data).toHaveLength(1)
})

test('a lease is held by one node at a time, and freed by its end, by an error and by its expiry', async () => {
  const nodes = [billing.deps, anotherNode(), anotherNode()]
  let holders = 0
  const work = async () => {
    holders += 1
    expect(holders).toBe(1)
    await billing.db.select().from(rateLimits)
    holders -= 1
  }
  await Promise.all(nodes.flatMap((node) => [withLease(node, 'lease test', work), withLease(node, 'lease test', work)]))

  const entered = Promise.withResolvers<void>()
  const leave = Promise.withResolvers<void>()
  const held = withLease(billing.deps, 'lease test', async () => {
    entered.resolve()
    await leave.promise
    throw new Error('broke off')
  })
  await entered.promise
  expect(await tryLease(anotherNode(), 'lease test', async () => 'mine')).toBeNull()
  leave.resolve()
  await expect(held).rejects.toThrow('broke off')
  expect(await tryLease(anotherNode(), 'lease test', async () => 'mine')).toBe('mine')

  await billing.db
    .insert(rateLimits)
    .values({ key: 'lease:of the dead', points: 1, expiresAt: new Date(Date.now() - 1) })
  expect(await tryLease(billing.deps, 'of the dead', async () => 'mine')).toBe('mine')
})

test('B5: looks on two nodes at once leave the row that Stripe’s last word makes', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  const nodes = [billing.deps, anotherNode(), anotherNode()]
  const looks = nodes.flatMap((node) => Array.from({ length: 5 }, () => syncCustomer(node, customer)))
  await billing.api.subscriptions.cancel(id)
  await Promise.all([...looks, ...nodes.map((node) => syncCustomer(node, customer))])
  expect((await billing.row(user))?.status).toBe('canceled')
})
