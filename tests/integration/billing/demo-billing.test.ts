import { afterEach, beforeEach, expect, test } from 'vitest'
import { billingCustomer, subscriptionState, users as userTable } from '#server/db/schema/index.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { seedDemoBilling } from '#server/seed/seed-demo-billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { startTestStripe } from '#tests/support/stripe-sandbox.ts'
import { type Billing, openBilling } from './support.ts'

type People = Record<'admin' | 'pro' | 'team', TestUser>

const database = openForTests(openTestDatabase)
let billing: Billing
beforeEach(async () => {
  await database.truncate()
  billing = await openBilling({ database })
})
afterEach(() => billing.close())

async function people(): Promise<People> {
  const made = { admin: 'admin', pro: 'pro', team: 'team' } as const
  const entries = Object.keys(made).map(async (name) => [
    name,
    await billing.user({ email: `${name}@frontcounter.test` }),
  ])
  return Object.fromEntries(await Promise.all(entries)) as People
}

/** Holds after every run of the seed. */
async function expectSeeded(of: Billing, seeded: People) {
  for (const [name, product] of [
    ['admin', 'pro_monthly'],
    ['pro', 'pro_monthly'],
    ['team', 'team_monthly'],
  ] as const) {
    const { id, email } = seeded[name]
    const customers = (await of.api.customers.list({ email })).data
    expect(customers).toHaveLength(1)
    const [customer] = customers
    if (!customer) throw new Error('no customer')
    expect(customer.metadata.user_id).toBe(id)
    expect(customer.invoice_settings.default_payment_method).toMatch(/^pm_/)
    expect((await of.api.customers.listPaymentMethods(customer.id)).data).toHaveLength(1)
    const subscriptions = (await of.api.subscriptions.list({ customer: customer.id, status: 'all' })).data
    expect(subscriptions.map(({ status }) => status)).toEqual(['active'])
    const invoices = (await of.api.invoices.list({ customer: customer.id })).data
    expect(invoices.map(({ status }) => status)).toEqual(['paid'])
    expect(await of.row(seeded[name])).toMatchObject({ status: 'active', productId: of.productOf(product) })
    expect((await of.check(seeded[name])).subscribed).toBe(true)
  }
}

test('demo subscribers have one customer, one card and one paid subscription each, even after a second run', async () => {
  const seeded = await people()
  await seedDemoBilling(billing.deps, seeded)
  await expectSeeded(billing, seeded)
  await seedDemoBilling(billing.deps, seeded)
  await expectSeeded(billing, seeded)
})

test.each(['before', 'after'] as const)(
  'a run interrupted %s any call to Stripe is completed by the next',
  async (when) => {
    const seeded = await people()
    for (let failing = 1; ; failing += 1) {
      billing.proxy.calls.length = 0
      billing.proxy.failOnce(() => billing.proxy.calls.length === failing, when)
      const finished = await seedDemoBilling(billing.deps, seeded).then(
        () => true,
        () => false,
      )
      if (finished) break
      expect(failing).toBeLessThan(60)
    }
    await expectSeeded(billing, seeded)
  },
)

test('after the sandbox’s file is deleted, everything is created again', async () => {
  const seeded = await people()
  await seedDemoBilling(billing.deps, seeded)
  const fresh = await startTestStripe()
  try {
    billing.proxy.pointTo(fresh.port)
    await seedDemoBilling(billing.deps, seeded)
    const api = createStripe({ ...fresh.config, port: fresh.port } as typeof fresh.config)
    await expectSeeded({ ...billing, api }, seeded)
  } finally {
    await fresh.close()
  }
})

test('after our database is deleted, existing customers are reused', async () => {
  const before = await people()
  await seedDemoBilling(billing.deps, before)
  await billing.db.delete(userTable)
  const seeded = await people()
  expect(seeded.pro.id).not.toBe(before.pro.id)
  await seedDemoBilling(billing.deps, seeded)
  await expectSeeded(billing, seeded)
})

test('after our billing tables are emptied, customers are found by their user', async () => {
  const seeded = await people()
  await seedDemoBilling(billing.deps, seeded)
  await billing.db.delete(subscriptionState)
  await billing.db.delete(billingCustomer)
  await seedDemoBilling(billing.deps, seeded)
  await expectSeeded(billing, seeded)
})

test('another customer with the same email is never reused', async () => {
  const stranger = await billing.api.customers.create({ email: 'pro@frontcounter.test' })
  const seeded = await people()
  await seedDemoBilling(billing.deps, seeded)
  expect(await billing.customerOf(seeded.pro)).not.toBe(stranger.id)
})

test('a canceled subscription stays canceled', async () => {
  const seeded = await people()
  await seedDemoBilling(billing.deps, seeded)
  const row = await billing.row(seeded.pro)
  await billing.api.subscriptions.cancel(row?.stripeSubscriptionId ?? '')
  await seedDemoBilling(billing.deps, seeded)
  expect((await billing.check(seeded.pro)).subscribed).toBe(false)
})
