import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import type { Database } from '#server/db/database.ts'
import { openPostgres } from '#server/db/open-postgres.ts'
import { leases } from '#server/db/schema/index.ts'
import { tryLease, withLease } from '#server/features/billing/subscriptions/sync/lease.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { type PlanKey, planKeys } from '#tests/support/default-plans.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, payAtCheckout, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())

/** A second server that shares only the database, like another process. */
const anotherNode = () => ({ ...billing.deps, database: { ...billing.deps.database } })

/** Twenty concurrent clicks of one user, alternating between the nodes. */
async function twentyClicks(user: TestUser, planOf: (click: number) => PlanKey) {
  const { database, close } = await secondDatabase()
  try {
    const second = createApp({ ...billing.deps, database })
    return await Promise.all(
      Array.from({ length: 20 }, (_, click) =>
        call(
          { app: click % 2 ? second : billing.server.app },
          'create-checkout',
          { priceId: billing.priceOf(planOf(click)) },
          user.token,
        ),
      ),
    )
  } finally {
    await close()
  }
}

/** Own connections on PostgreSQL, as in another process. PGlite shares its single connection. */
async function secondDatabase(): Promise<{ database: Database; close: () => Promise<void> }> {
  const { url } = billing.server.database
  if (!url) return { database: { ...billing.deps.database }, close: async () => {} }
  const database = await openPostgres(url)
  return { database, close: () => database.close() }
}

const openSessions = async (customer: string) =>
  (await billing.api.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data

const customersNamed = async ({ id }: TestUser) =>
  (await billing.api.customers.search({ query: `metadata['user_id']:'${id}'` })).data

test('B11: twenty concurrent clicks on two nodes create one customer, one open checkout and one purchase', async () => {
  const user = await billing.user()
  const answers = await twentyClicks(user, () => 'pro_monthly')
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const [url, ...others] = new Set(answers.map(({ body }) => String(body.url)))
  expect(others).toEqual([])
  const [customer, ...more] = await customersNamed(user)
  expect(more).toEqual([])
  expect((await openSessions(customer?.id ?? '')).map((session) => session.url)).toEqual([url])

  await payAtCheckout(url ?? '')
  const again = await twentyClicks(user, () => 'pro_monthly')
  for (const { body } of again) expect(body.url).toMatch(/\/p\/session\//)
  expect(await openSessions(customer?.id ?? '')).toEqual([])
  const subscriptions = await billing.api.subscriptions.list({ customer: customer?.id, status: 'all' })
  expect(subscriptions.data.map(({ status }) => status)).toEqual(['active'])
})

test('B12: twenty concurrent clicks on two nodes for all three plans leave one open checkout', async () => {
  const user = await billing.user()
  const answers = await twentyClicks(user, (click) => planKeys[click % planKeys.length] ?? 'pro_monthly')
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const [customer, ...more] = await customersNamed(user)
  expect(more).toEqual([])
  const open = await openSessions(customer?.id ?? '')
  expect(open).toHaveLength(1)
  const urls = [...new Set(answers.map(({ body }) => String(body.url)))]
  const paid = await Promise.all(urls.map((url) => payAtCheckout(url).catch(() => null)))
  expect(paid.filter((target) => target?.includes(open[0]?.id ?? 'none'))).toHaveLength(1)
  const subscriptions = await billing.api.subscriptions.list({ customer: customer?.id, status: 'all' })
  expect(subscriptions.data.map(({ status }) => status)).toEqual(['active'])
})

test('a lease has one holder at a time and is released on completion, error and expiry', async () => {
  const nodes = [billing.deps, anotherNode(), anotherNode()]
  let holders = 0
  const work = async () => {
    holders += 1
    expect(holders).toBe(1)
    await billing.db.select().from(leases)
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

  await billing.db.insert(leases).values({ name: 'of the dead', token: 1, expiresAt: new Date(Date.now() - 1) })
  expect(await tryLease(billing.deps, 'of the dead', async () => 'mine')).toBe('mine')
})

test('B5: concurrent syncs on two nodes leave the latest state of Stripe', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  const nodes = [billing.deps, anotherNode(), anotherNode()]
  const syncs = nodes.flatMap((node) => Array.from({ length: 5 }, () => syncCustomer(node, customer)))
  await billing.api.subscriptions.cancel(id)
  await Promise.all([...syncs, ...nodes.map((node) => syncCustomer(node, customer))])
  expect((await billing.row(user))?.status).toBe('canceled')
})
