import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '#server/config/settings.ts'
import { auditLogEntries, plan, teamSeat } from '#server/db/schema/index.ts'
import { syncPlans, syncPlansJob } from '#server/features/billing/plans/change-plans.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { AuditPayload } from '#server/features/identity/auth/security/security-event.ts'
import type { PlanToSave, StoredPlan, StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import { findPlan, plansOnSale } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})

/** Plans of the test before are off sale. */
beforeEach(async () => {
  const now = billing.deps.clock()
  for (const { key } of await list()) {
    const retiredAt = key.startsWith('plan_') ? now : null
    await billing.db.update(plan).set({ retiredAt }).where(eq(plan.key, key))
  }
  await applyPlans(billing.db, billing.deps.config)
  billing.server.jobs.length = 0
})

const list = async () => ((await billing.call('admin-plans', {}, owner)).body as StoredPlans).items
const stored = async (key: string) => (await list()).find((one) => one.key === key) as StoredPlan

const terms = (more: Partial<PlanToSave> = {}): PlanToSave => ({
  key: null,
  version: 0,
  requestId: crypto.randomUUID(),
  name: 'Pro Yearly in euros',
  note: '',
  features: [],
  priceCents: 9000,
  currency: 'eur',
  interval: 'year',
  seats: 1,
  trialDays: null,
  ...more,
})
const edited = ({ key, version, ...of }: StoredPlan, more: Partial<PlanToSave>) => {
  const { name, note, features, priceCents, currency, interval, seats, trialDays } = of
  return terms({ key, version, name, note, features, priceCents, currency, interval, seats, trialDays, ...more })
}
const save = (given: PlanToSave, who = owner) => billing.call('admin-save-plan', given, who)
const keyOf = ({ requestId }: PlanToSave) => `plan_${requestId.replaceAll('-', '').slice(0, 12)}`

async function created(more?: Partial<PlanToSave>) {
  const given = terms(more)
  const { status, body } = await save(given)
  expect([status, body.error]).toEqual([200, undefined])
  return keyOf(given)
}

const sold = async () => (await billing.call('plans', {})).body.plans as Plan[]
const soldPlan = async (key: string) => (await sold()).find((one) => one.key === key) as Plan
const productsAtStripe = async (name: string) =>
  (await billing.api.products.list({ limit: 100 })).data.filter((product) => product.name === name)
const pricesOf = async (product: string) => (await billing.api.prices.list({ product, limit: 100 })).data

/** Runs the jobs of the saves. */
async function work() {
  for (const { name, payload } of billing.server.jobs.splice(0)) {
    if (name === syncPlansJob.name) await syncPlans(billing.deps, syncPlansJob.payload.parse(payload))
  }
}

async function buy(user: TestUser, priceId: string) {
  const { status, body } = await billing.call('create-checkout', { priceId }, user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  await syncCustomer(billing.deps, await billing.customerOf(user))
}

const priceOn = async (user: TestUser) => {
  const { price, plan: key } = (await billing.call('billing-overview', {}, user)).body as BillingOverview
  return [key, price && formatPrice(price)]
}

test('a new database has the specification’s plans, with the ids of the environment', async () => {
  expect(
    (await list()).map(({ name, priceCents, currency, interval, seats }) => [
      name,
      priceCents,
      currency,
      interval,
      seats,
    ]),
  ).toEqual([
    ['Pro Monthly', 1000, 'usd', 'month', 1],
    ['Pro Yearly', 9900, 'usd', 'year', 1],
    ['Team Monthly', 2000, 'usd', 'month', 3],
  ])
  const [row] = await billing.db.select().from(plan).where(eq(plan.key, 'pro_monthly'))
  expect([row?.stripeProductId, row?.stripePriceId]).toEqual([
    billing.productOf('pro_monthly'),
    billing.priceOf('pro_monthly'),
  ])
  // Later starts with another environment change nothing.
  const { stripe } = billing.deps.config
  const ids = { ...stripe.ids, pro_monthly: { productId: 'prod_other', priceId: 'price_other' } }
  const other = { settings: defaultSettings(), stripe: { ...stripe, ids } }
  await takeOverPlans(billing.db, other)
  await applyPlans(billing.db, other)
  expect(idsOfPlan(other, 'pro_monthly')?.priceId).toBe(billing.priceOf('pro_monthly'))
})

test('a new plan is a product and a price at Stripe, which visitors can buy', async () => {
  const key = await created({ features: ['Everything in Pro', 'Two months free'] })
  const { productId, priceId, priceText, interval } = await soldPlan(key)
  expect([priceText, interval]).toEqual(['€90', 'year'])
  expect(findPlan(billing.deps.config.settings.publication, key)).toMatchObject({
    comparedText: '€7.50 a month',
    features: ['Everything in Pro', 'Two months free'],
  })
  expect(await billing.api.products.retrieve(productId)).toMatchObject({ name: 'Pro Yearly in euros' })
  expect(await billing.api.prices.retrieve(priceId)).toMatchObject({
    product: productId,
    unit_amount: 9000,
    currency: 'eur',
    recurring: { interval: 'year', interval_count: 1 },
  })
  await work()
  const [portal] = (await billing.api.billingPortal.configurations.list({ is_default: true })).data
  expect(portal?.features.subscription_update.products).toContainEqual(
    expect.objectContaining({ product: productId, prices: [priceId] }),
  )
  const member = await billing.user()
  await buy(member, priceId)
  expect(await billing.check(member)).toMatchObject({ subscribed: true, product_id: productId })
  expect(await priceOn(member)).toEqual([key, '€90 per year'])
  expect(await stored(key)).toMatchObject({ members: 1, isAtStripe: true })
  const [email] = await billing.server.outbox.list(member.email)
  expect(email?.text).toContain('€90 per year')
})

test('a changed price is for new members, and members keep theirs', async () => {
  const key = await created({ name: 'Rising', priceCents: 1500, currency: 'usd', interval: 'month' })
  const before = await soldPlan(key)
  const [early, late, paying] = [await billing.user(), await billing.user(), await billing.user()]
  await buy(early, before.priceId)
  const open = await billing.call('create-checkout', { priceId: before.priceId }, paying)
  expect((await save(edited(await stored(key), { priceCents: 1800 }))).status).toBe(200)
  const after = await soldPlan(key)
  expect([after.priceText, after.productId, after.priceId === before.priceId]).toEqual(['$18', before.productId, false])
  // A page that was loaded before doesn't sell at the new price without saying so.
  expect((await billing.call('create-checkout', { priceId: before.priceId }, late)).body.code).toBe('plan_unavailable')
  await buy(late, after.priceId)
  // Someone who was at Stripe's page pays what it says.
  await payAtCheckout(String(open.body.url))
  await syncCustomer(billing.deps, await billing.customerOf(paying))
  for (const user of [early, late, paying]) await syncCustomer(billing.deps, await billing.customerOf(user))
  expect(await Promise.all([early, late, paying].map(priceOn))).toEqual([
    [key, '$15 per month'],
    [key, '$18 per month'],
    [key, '$15 per month'],
  ])
  // Going back uses the first price again.
  await save(edited(await stored(key), { priceCents: 1500 }))
  expect((await soldPlan(key)).priceId).toBe(before.priceId)
  expect(await pricesOf(before.productId)).toHaveLength(2)
})

test('a retired plan stays with its members and isn’t sold, and someone at its checkout can pay', async () => {
  const key = await created({ name: 'Founders', priceCents: 500, currency: 'usd', interval: 'month' })
  const { priceId, productId } = await soldPlan(key)
  const [member, paying, late] = [await billing.user(), await billing.user(), await billing.user()]
  await buy(member, priceId)
  const open = await billing.call('create-checkout', { priceId }, paying)
  const { version } = await stored(key)
  expect((await billing.call('admin-retire-plan', { key, version, retired: true }, owner)).status).toBe(200)
  expect((await sold()).map((one) => one.key)).not.toContain(key)
  const refused = await billing.call('create-checkout', { priceId }, late)
  expect([refused.status, refused.body.error]).toEqual([400, 'This plan isn’t available. Choose another one.'])
  await payAtCheckout(String(open.body.url))
  for (const user of [member, paying]) {
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect(await billing.check(user)).toMatchObject({ subscribed: true, product_id: productId })
    expect(await priceOn(user)).toEqual([key, '$5 per month'])
  }
  await work()
  const [portal] = (await billing.api.billingPortal.configurations.list({ is_default: true })).data
  expect(JSON.stringify(portal?.features.subscription_update.products)).not.toContain(productId)
  const retired = await stored(key)
  expect(retired.members).toBe(2)
  await billing.call('admin-retire-plan', { key, version: retired.version, retired: false }, owner)
  await buy(late, priceId)
})

test('the last plan on sale can’t be retired', async () => {
  for (const { key } of (await list()).slice(1)) {
    await billing.db.update(plan).set({ retiredAt: billing.deps.clock() }).where(eq(plan.key, key))
  }
  const { version } = await stored('pro_monthly')
  const { status, body } = await billing.call(
    'admin-retire-plan',
    { key: 'pro_monthly', version, retired: true },
    owner,
  )
  expect([status, body.error]).toEqual([400, expect.stringContaining('only plan on sale')])
})

test('renaming a plan renames its product, and no other', async () => {
  const team = await billing.api.products.retrieve(billing.productOf('team_monthly'))
  await save(edited(await stored('pro_monthly'), { name: 'Solo', note: 'Our favorite' }))
  await work()
  expect((await billing.api.products.retrieve(billing.productOf('pro_monthly'))).name).toBe('Solo')
  expect(await billing.api.products.retrieve(billing.productOf('team_monthly'))).toEqual(team)
  expect((await soldPlan('pro_monthly')).name).toBe('Solo')
  expect(await pricesOf(billing.productOf('pro_monthly'))).toHaveLength(1)
  const rows = await billing.db.select({ payload: auditLogEntries.payload }).from(auditLogEntries)
  const entry = rows.map(({ payload }) => payload as AuditPayload).find(({ action }) => action === 'plan_changed')
  expect(rows.length).toBeGreaterThan(0)
  expect(entry).toBeDefined()
  await save(edited(await stored('pro_monthly'), { name: 'Pro Monthly', note: '' }))
  await work()
})

test('a second click and five at once create one plan, one product and one price', async () => {
  const given = terms({ name: 'Clicked' })
  const clicks = await Promise.all(Array.from({ length: 5 }, () => save(given)))
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await list()).filter(({ name }) => name === 'Clicked')).toHaveLength(1)
  const [product, ...others] = await productsAtStripe('Clicked')
  expect(others).toEqual([])
  expect(await pricesOf(String(product?.id))).toHaveLength(1)
})

test('if Stripe fails at any line, nothing is stored, and the next attempt doubles nothing', async () => {
  for (const path of ['/v1/products', '/v1/prices']) {
    for (const when of ['before', 'after'] as const) {
      const given = terms({ name: `Interrupted ${when} ${path}` })
      // Not 503, after which the Stripe library repeats the request itself.
      billing.proxy.failOnce((call) => call.method === 'POST' && call.path === path, when, 400)
      expect((await save(given)).status).toBe(502)
      expect(await stored(keyOf(given))).toBeUndefined()
      expect((await save(given)).status).toBe(200)
      const products = await productsAtStripe(given.name)
      expect(products).toHaveLength(1)
      expect(await pricesOf(String(products[0]?.id))).toHaveLength(1)
    }
  }
  const team = await stored('team_monthly')
  billing.proxy.failOnce((call) => call.method === 'POST' && call.path === '/v1/prices', 'before', 400)
  const { status } = await save(edited(team, { priceCents: 2500, name: 'Crew' }))
  expect(status).toBe(502)
  expect(await stored('team_monthly')).toEqual(team)
  expect((await soldPlan('team_monthly')).priceText).toBe('$20')
})

test('the second of two owners gets a conflict, and the first one’s plan stays', async () => {
  const key = await created({ name: 'Contested', currency: 'usd' })
  const seen = await stored(key)
  const other = await billing.user({ admin: true })
  expect((await save(edited(seen, { name: 'First' }))).status).toBe(200)
  const late = await save(edited(seen, { name: 'Second' }), other)
  expect([late.status, late.body.code]).toEqual([409, 'edit_conflict'])
  expect((await stored(key)).name).toBe('First')
  const retired = await billing.call('admin-retire-plan', { key, version: seen.version, retired: true }, other)
  expect([retired.status, retired.body.code]).toEqual([409, 'edit_conflict'])
})

test.each([
  [{ priceCents: 0 }, /can’t be free/],
  [{ priceCents: 49, currency: 'usd' }, /at least \$0\.50/],
  [{ priceCents: -500 }, /at least/],
  [{ priceCents: 1_000_000_000, currency: 'usd' }, /at most \$999,999\.99/],
  [{ priceCents: 10, currency: 'jpy' }, /at least ¥50/],
  [{ currency: 'xyz' }, /one of the currencies/],
  [{ name: '  ' }, /Enter a name/],
  [{ seats: 0 }, /1 to 500 people/],
  [{ seats: 501 }, /1 to 500 people/],
  [{ trialDays: 91 }, /0 to 90 days/],
] as const)('%o is refused with a sentence, before Stripe is asked', async (more, message) => {
  billing.proxy.calls.length = 0
  const { status, body } = await save(terms(more))
  expect([status, body.error]).toEqual([400, expect.stringMatching(message)])
  expect(billing.proxy.calls).toEqual([])
})

test('a plan in yen costs whole yen', async () => {
  const key = await created({ name: 'Tokyo', currency: 'jpy', priceCents: 1500, interval: 'month' })
  const { priceText, priceId } = await soldPlan(key)
  expect(priceText).toBe('¥1,500')
  expect(await billing.api.prices.retrieve(priceId)).toMatchObject({ unit_amount: 1500, currency: 'jpy' })
})

test('the order of the plans is the one that visitors see', async () => {
  const keys = (await list()).map(({ key }) => key)
  const { status } = await billing.call('admin-order-plans', { keys: keys.toReversed() }, owner)
  expect(status).toBe(200)
  expect(plansOnSale(billing.deps.config.settings.publication).map(({ key }) => key)).toEqual([
    'team_monthly',
    'pro_yearly',
    'pro_monthly',
  ])
  expect((await billing.call('admin-order-plans', { keys: keys.slice(1) }, owner)).body.code).toBe('edit_conflict')
  await billing.call('admin-order-plans', { keys }, owner)
})

test('a plan for more people has room for them, and no fewer than a team uses', async () => {
  const key = await created({ name: 'Crew of five', currency: 'usd', interval: 'month', seats: 5 })
  const [boss, fifth] = [await billing.user(), await billing.user()]
  await buy(boss, (await soldPlan(key)).priceId)
  const { body } = await billing.call('team', {}, boss)
  expect(body.owned).toMatchObject({ active: true, seats: { total: 5, taken: 1 } })
  const others = await Promise.all([2, 3, 4].map(() => billing.user()))
  await billing.db.insert(teamSeat).values(
    [...others, fifth].map(({ id: userId }, index) => ({
      ...{ ownerId: boss.id, userId, seat: index + 2, joinedAt: billing.deps.clock() },
    })),
  )
  expect((await billing.check(fifth)).subscribed).toBe(true)
  const smaller = await billing.call('preview-switch', { priceId: billing.priceOf('team_monthly') }, boss)
  expect([smaller.status, smaller.body.error]).toEqual([400, expect.stringContaining('Team Monthly is for 3 people')])
  expect((await billing.call('preview-switch', { priceId: billing.priceOf('pro_monthly') }, boss)).status).toBe(200)
  const { status, body: refused } = await save(edited(await stored(key), { seats: 4 }))
  expect([status, refused.error]).toEqual([400, expect.stringContaining('A team uses 5 seats')])
  expect((await save(edited(await stored(key), { seats: 8 }))).status).toBe(200)
})

test('a plan can have a free trial of its own', async () => {
  const key = await created({ name: 'Try me', currency: 'usd', interval: 'month', trialDays: 21 })
  const { priceId } = await soldPlan(key)
  const user = await billing.user()
  expect((await billing.call('trial-offer', {}, user)).body).toEqual({ days: 21 })
  await buy(user, priceId)
  expect((await billing.row(user))?.status).toBe('trialing')
  const other = await billing.user()
  await buy(other, (await soldPlan('pro_monthly')).priceId)
  expect((await billing.row(other))?.status).toBe('active')
})

test('only owners change plans', async () => {
  for (const role of ['viewer', 'editor', 'support'] as const) {
    const user = await billing.user({ role })
    expect((await save(terms(), user)).status, role).toBe(403)
  }
})

test.each(['Members’ plan', 'Pro – yearly', 'プロ'])('a plan can be named %s', async (name) => {
  const key = await created({ name })
  expect(await soldPlan(key)).toMatchObject({ name })
  expect(await productsAtStripe(name)).toHaveLength(1)
})
