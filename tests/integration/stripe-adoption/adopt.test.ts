import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { billingCustomer, importedStripeCustomer, subscriptionState, users } from '#server/db/schema/index.ts'
import { adoptionSteps } from '#server/features/billing/stripe-adoption/run-adoption.ts'
import { hasAccess, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { continueRun } from '#server/jobs/runs.ts'
import type { EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import type { StripeAdoption } from '#shared/contracts/billing/stripe-adoption.ts'
import { dayMs, openBilling, subscribe } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
let legacyPrice = ''
let otherPrice = ''
let euroPrice = ''
let euroMember: TestUser
const customers: Record<string, string> = {}

const customer = async (key: string, email?: string) => {
  const { id } = await billing.api.customers.create({ ...(email && { email }), name: `Name of ${key}` })
  customers[key] = id
  return id
}

const priceOfNewProduct = async (name: string, unitAmount: number, currency = 'usd', months = 1) => {
  const { id: product } = await billing.api.products.create({ name })
  const recurring = { interval: 'month' as const, interval_count: months }
  return (await billing.api.prices.create({ product, currency, unit_amount: unitAmount, recurring })).id
}

const ask = async (name: string, body: object = {}) => {
  const answer = await billing.call(name, body, admin)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body.adoption as StripeAdoption
}
const run = async ({ id }: StripeAdoption) => {
  await continueRun(billing.deps, adoptionSteps(billing.deps), id)
  return ask('admin-stripe-adoption')
}
const outcomes = ({ examples }: StripeAdoption) =>
  Object.fromEntries(
    Object.entries(customers).map(([key, id]) => [key, examples.find((one) => one.customerId === id)?.outcome]),
  )
const userOf = async (email: string) => (await billing.db.select().from(users).where(eq(users.email, email)))[0]
const entitled = async (email: string) => {
  const user = await userOf(email)
  if (!user) return null
  return hasAccess(billing.deps.config, await readAccessFacts(billing.db, user.id), billing.deps.clock())
}

beforeAll(async () => {
  admin = await billing.user({ admin: true, email: 'owner@example.test' })
  legacyPrice = await priceOfNewProduct('Old newsletter', 500)
  otherPrice = await priceOfNewProduct('Coffee mugs', 300)
  euroPrice = await priceOfNewProduct('Old quarterly newsletter', 4500, 'eur', 3)
  const { api } = billing
  const { productId } = billing.deps.config.stripe.ids.pro_monthly
  const recurring = { interval: 'month' as const }
  const oldPrice = await api.prices.create({ product: productId, currency: 'usd', unit_amount: 700, recurring })

  // Customers that this server has never seen.
  await subscribe(api, await customer('fresh', 'Fresh@Adopt.test'), billing.priceOf('pro_yearly'))
  await subscribe(api, await customer('oldPrice', 'old-price@adopt.test'), oldPrice.id)
  await subscribe(api, await customer('legacy', 'legacy@adopt.test'), legacyPrice)
  await subscribe(api, await customer('mugs', 'mugs@adopt.test'), otherPrice)
  await subscribe(api, await customer('twinOne', 'twin@adopt.test'), billing.priceOf('pro_monthly'))
  await subscribe(api, await customer('twinTwo', 'twin@adopt.test'), billing.priceOf('pro_monthly'))
  const double = await customer('double', 'double@adopt.test')
  await subscribe(api, double, billing.priceOf('pro_monthly'))
  await subscribe(api, double, billing.priceOf('pro_yearly'))
  await subscribe(api, await customer('noAddress'), billing.priceOf('pro_monthly'))

  await billing.user({ email: 'member@adopt.test' })
  await subscribe(api, await customer('member', 'member@adopt.test'), billing.priceOf('team_monthly'))
  euroMember = await billing.user({ email: 'euro@adopt.test' })
  await subscribe(api, await customer('euro', 'euro@adopt.test'), euroPrice)
  await billing.user({ email: 'unconfirmed@adopt.test', confirmed: false })
  await subscribe(api, await customer('unconfirmed', 'unconfirmed@adopt.test'), billing.priceOf('pro_monthly'))
  const imported = await billing.user({ email: 'imported@adopt.test' })
  await subscribe(api, await customer('imported', 'another-address@adopt.test'), billing.priceOf('pro_monthly'))
  await billing.db
    .insert(importedStripeCustomer)
    .values({ userId: imported.id, stripeCustomerId: customers.imported ?? '' })
  const linked = await billing.user({ email: 'linked@adopt.test' })
  await billing.checkout(linked)
  customers.linked = await billing.customerOf(linked)
  await subscribe(api, customers.linked, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customers.linked)
  await subscribe(api, await customer('second', 'linked@adopt.test'), billing.priceOf('pro_monthly'))
})

test('subscriptions of the account are listed, prices are assigned, and a preview shows who gets what', async () => {
  billing.proxy.calls.length = 0
  const listed = await run(await ask('admin-list-stripe-subscriptions'))
  expect(listed.status).toBe('listed')
  expect(outcomes(listed)).toEqual({
    fresh: 'new',
    oldPrice: 'new',
    legacy: 'unmapped',
    mugs: 'unmapped',
    twinOne: 'conflict',
    twinTwo: 'conflict',
    double: 'conflict',
    noAddress: 'conflict',
    member: 'existing',
    euro: 'unmapped',
    unconfirmed: 'conflict',
    imported: 'existing',
    linked: 'linked',
    second: 'conflict',
  })
  expect(listed.prices.find(({ id }) => id === legacyPrice)).toMatchObject({ name: 'Old newsletter', plan: null })
  const own = await billing.call(
    'admin-map-stripe-price',
    { priceId: billing.priceOf('pro_monthly'), plan: null },
    admin,
  )
  expect(own.status).toBe(400)
  const mapped = await ask('admin-map-stripe-price', { priceId: legacyPrice, plan: 'pro_monthly' })
  expect(outcomes(mapped)).toMatchObject({ legacy: 'new', mugs: 'unmapped' })
  await ask('admin-map-stripe-price', { priceId: euroPrice, plan: 'pro_yearly' })
  expect(billing.proxy.calls.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('adopting writes only here: nobody is charged, nothing changes at Stripe, and no email goes out', async () => {
  const { api } = billing
  const before = await Promise.all(Object.values(customers).map((id) => api.customers.retrieve(id)))
  const events = (await api.events.list({ limit: 1 })).data[0]?.id
  billing.proxy.calls.length = 0
  const emails = billing.server.outbox.list().length

  const started = await ask('admin-adopt-stripe-subscriptions', { id: (await ask('admin-stripe-adoption')).id })
  // The process dies at any moment: each call to Stripe fails once.
  for (let n = 0; n < 12; n += 1) {
    billing.proxy.failOnce(({ method }) => method === 'GET', 'before', 400)
    await continueRun(billing.deps, adoptionSteps(billing.deps), started.id).catch(() => {})
  }
  const finished = await run(started)
  expect(finished.status).toBe('finished')
  expect(outcomes(finished)).toMatchObject({ fresh: 'new', legacy: 'new', member: 'existing', double: 'conflict' })

  expect(await entitled('fresh@adopt.test')).toBe(true)
  expect(await entitled('old-price@adopt.test')).toBe(true)
  expect(await entitled('legacy@adopt.test')).toBe(true)
  expect(await entitled('member@adopt.test')).toBe(true)
  expect(await entitled('imported@adopt.test')).toBe(true)
  expect(await entitled('unconfirmed@adopt.test')).toBe(false)
  for (const email of ['mugs', 'twin', 'double', 'another-address'])
    expect(await userOf(`${email}@adopt.test`)).toBeUndefined()
  const fresh = await userOf('fresh@adopt.test')
  expect(fresh).toMatchObject({ encryptedPassword: null, emailConfirmedAt: null, createdByAdmin: true })
  const legacy = await userOf('legacy@adopt.test')
  const [row] = await billing.db
    .select()
    .from(subscriptionState)
    .where(eq(subscriptionState.userId, legacy?.id ?? ''))
  expect(row).toMatchObject({ productId: billing.productOf('pro_monthly'), priceId: legacyPrice, status: 'active' })

  expect(billing.proxy.calls.filter(({ method }) => method !== 'GET')).toEqual([])
  expect((await api.events.list({ limit: 1 })).data[0]?.id).toBe(events)
  expect(await Promise.all(Object.values(customers).map((id) => api.customers.retrieve(id)))).toEqual(before)
  expect(billing.server.outbox.list()).toHaveLength(emails)
})

test('adopting again changes nothing, and later syncs keep the adopted plan', async () => {
  billing.server.clock.advance(1_000)
  const mappings = await billing.db.select().from(billingCustomer).orderBy(billingCustomer.userId)
  const again = await run(await ask('admin-list-stripe-subscriptions'))
  expect(again.counts).toMatchObject({ new: 0, existing: 0 })
  await run(await ask('admin-adopt-stripe-subscriptions', { id: again.id }))
  expect(await billing.db.select().from(billingCustomer).orderBy(billingCustomer.userId)).toEqual(mappings)

  billing.proxy.calls.length = 0
  await syncCustomer(billing.deps, customers.legacy ?? '')
  expect(await entitled('legacy@adopt.test')).toBe(true)
  expect(billing.proxy.calls.filter(({ method }) => method !== 'GET')).toEqual([])
})

test('adopted members see their own price, not the list price: on the billing page, in emails and on the member’s page', async () => {
  const { subscription } = (await billing.call('admin-entitlement', { userId: euroMember.id }, admin))
    .body as EntitlementReport
  expect(subscription).toMatchObject({ plan: 'pro_yearly', price: '€45 every 3 months' })
  const support = await billing.user({ role: 'support' })
  const seen = (await billing.call('admin-entitlement', { userId: euroMember.id }, support)).body as EntitlementReport
  expect(seen.subscription).toMatchObject({ plan: 'pro_yearly', price: null })
  expect((await billing.call('billing-overview', {}, euroMember)).body).toMatchObject({
    plan: 'pro_yearly',
    price: { amountCents: 4500, currency: 'eur', interval: 'month', intervalCount: 3 },
  })
  for (const cancel of [true, false]) {
    await billing.api.subscriptions.update(subscription?.subscriptionId ?? '', { cancel_at_period_end: cancel })
    await syncCustomer(billing.deps, customers.euro ?? '')
  }
  const [resumed] = await billing.server.outbox.list(euroMember.email)
  expect(resumed?.subject).toBe('Your Front Counter plan continues')
  expect(resumed?.text).toContain('€45 every 3 months')
})

test('a price that isn’t paid by the year gets no notice of a yearly renewal, whatever plan it counts as', async () => {
  const [row] = await billing.db.select().from(subscriptionState).where(eq(subscriptionState.userId, euroMember.id))
  billing.server.clock.advance(
    (row?.currentPeriodEnd?.getTime() ?? 0) - billing.server.clock.now.getTime() - 10 * dayMs,
  )
  await enqueueScheduledNotices(billing.deps)
  const subjects = (await billing.server.outbox.list(euroMember.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('renews on'))).toEqual([])
})
