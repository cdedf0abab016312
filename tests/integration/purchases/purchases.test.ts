import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { complimentaryAccess, plan, purchase, revenueChange, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import { oneTimePaymentJobOf } from '#server/features/billing/purchases/feature.ts'
import { workOnPurchases } from '#server/features/billing/purchases/refund-purchase.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { oneTimePaymentJob } from '#server/features/billing/subscriptions/webhooks/webhook-events.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { Purchase } from '#shared/contracts/billing/purchases.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { forGood } from '#shared/domain/entitlement.ts'
import { dayMs, deliver, openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser
let lifetime: string
let halfYear: string

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
  lifetime = await sell({ name: 'Lifetime', once: 'forever', priceCents: 30_000 })
  halfYear = await sell({ name: 'Half a year', once: 'period', interval: 'month', intervalCount: 6, priceCents: 6000 })
})

beforeEach(() => {
  billing.server.jobs.length = 0
  billing.proxy.outage = null
})

const save = (more: object) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, name: 'Once', note: '', features: [], currency: 'usd', interval: 'month', seats: 1 },
      ...{ trialDays: null, requestId: crypto.randomUUID(), ...more },
    },
    owner,
  )

async function sell(more: object): Promise<string> {
  const requestId = crypto.randomUUID()
  const { status, body } = await save({ requestId, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  return `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
}

const prices = () => ({ [lifetime]: 30_000, [halfYear]: 6000 })
const buy = (user: TestUser, key: string, more: object = {}) =>
  billing.call('buy-access', { plan: key, amountCents: prices()[key], ...more }, user)

/** Pays at checkout. Tells the server nothing. */
async function pay(user: TestUser, key: string, card?: string) {
  const { status, body } = await buy(user, key)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url), card)
}

const rowsOf = (user: TestUser) =>
  billing.db.select().from(purchase).where(eq(purchase.userId, user.id)).orderBy(purchase.createdAt)
const own = async (user: TestUser) => (await billing.call('own-purchases', {}, user)).body.items as Purchase[]
const overview = async (user: TestUser) =>
  (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview
const accessOf = async (user: TestUser) =>
  (await billing.db.select().from(complimentaryAccess).where(eq(complimentaryAccess.userId, user.id)))[0]?.until

/** Delivers Stripe's events about a payment, signed, and runs their jobs. */
async function deliverEvents(user: TestUser, { times = 1, reversed = false } = {}) {
  const ids = (await rowsOf(user)).flatMap((row) => [row.id, row.stripeSessionId, row.stripePaymentIntentId])
  const found = []
  for await (const event of billing.api.events.list({ limit: 100 })) {
    const text = JSON.stringify(event.data.object)
    if (ids.some((id) => id && text.includes(id))) found.push(event)
  }
  for (const event of reversed ? found : found.toReversed()) {
    for (let time = 0; time < times; time += 1) expect(await deliver(billing, event)).toBe(200)
  }
  const queued = billing.server.jobs.filter(({ name }) => name === oneTimePaymentJob.name)
  billing.server.jobs.length = 0
  for (const { payload } of queued)
    await oneTimePaymentJobOf(billing.deps).run(oneTimePaymentJob.payload.parse(payload))
}

const emailsTo = (user: TestUser) => billing.server.outbox.list(user.email).map(({ subject }) => subject)
const paidIn = async (key: string) =>
  (await billing.db.select().from(revenueMonthlyTotal).where(eq(revenueMonthlyTotal.plan, key))).map((total) => [
    total.name,
    total.cents,
    total.count,
  ])

describe('access for good', () => {
  test('is bought once, by webhooks that arrive twice and in any order, and has no end', async () => {
    const user = await billing.user()
    await pay(user, lifetime)
    await deliverEvents(user, { times: 2, reversed: true })
    expect(await billing.check(user)).toEqual({ subscribed: true, product_id: null, subscription_end: null })
    expect(await overview(user)).toMatchObject({ status: 'none', isPaidOnce: true, isGift: false })
    expect(await accessOf(user)).toEqual(forGood)
    expect(await own(user)).toMatchObject([{ name: 'Lifetime', state: 'paid', amountCents: 30_000, isForGood: true }])
    expect(emailsTo(user).filter((subject) => subject.includes('Lifetime'))).toHaveLength(1)
    expect(await paidIn(lifetime)).toEqual([['paid', 30_000, 1]])
    expect(await billing.db.$count(revenueChange)).toBe(0)
    const { body } = await billing.call('admin-member', { userId: user.id }, owner)
    expect(body.access).toBe('Access for good, paid once.')
  })

  test('is refused to someone who has it, before Stripe is asked', async () => {
    const user = await billing.user()
    await pay(user, lifetime)
    await own(user)
    billing.proxy.calls.length = 0
    for (const key of [lifetime, halfYear]) {
      expect(await buy(user, key)).toMatchObject({ status: 409, body: { error: 'You already have access for good.' } })
    }
    expect(billing.proxy.calls.filter(({ method }) => method === 'POST')).toEqual([])
    expect(await rowsOf(user)).toHaveLength(1)
  })

  test('a second click and a second tab get the same checkout, and another item closes it', async () => {
    const user = await billing.user()
    const urls = await Promise.all([1, 2, 3].map(async () => (await buy(user, lifetime)).body.url))
    expect(new Set(urls).size).toBe(1)
    expect((await buy(user, halfYear)).status).toBe(200)
    await expect(payAtCheckout(String(urls[0]))).rejects.toThrow()
    expect((await rowsOf(user)).map(({ state }) => state)).toEqual(['unpaid', 'unpaid'])
  })

  test('paid twice after all, the second payment is refunded and access stays', async () => {
    const user = await billing.user()
    await pay(user, lifetime)
    await billing.db.update(purchase).set({ terms: 'of another tab' }).where(eq(purchase.userId, user.id))
    const { body } = await buy(user, lifetime)
    await payAtCheckout(String(body.url))
    await own(user)
    await workOnPurchases(billing.deps)
    await workOnPurchases(billing.deps)
    const rows = await rowsOf(user)
    expect(rows.map(({ state }) => state).toSorted()).toEqual(['paid', 'refunded'])
    expect(rows.map(({ refundedCents }) => refundedCents).toSorted((a, b) => a - b)).toEqual([0, 30_000])
    expect(await accessOf(user)).toEqual(forGood)
  })

  test('bought again during a dispute, it stays when the dispute is won and the first payment is refunded', async () => {
    const user = await billing.user()
    await pay(user, lifetime, '4000 0000 0000 0259')
    await own(user)
    await deliverEvents(user)
    const [first] = await rowsOf(user)
    await pay(user, lifetime)
    await own(user)
    expect(await accessOf(user)).toEqual(forGood)
    const { data } = await billing.api.disputes.list({ payment_intent: first?.stripePaymentIntentId ?? '' })
    await billing.api.disputes.update(String(data[0]?.id), { evidence: { uncategorized_text: 'winning_evidence' } })
    await deliverEvents(user)
    await workOnPurchases(billing.deps)
    const rows = await rowsOf(user)
    expect(rows.find(({ id }) => id === first?.id)).toMatchObject({ state: 'refunded', refundedCents: 30_000 })
    expect(rows.find(({ id }) => id !== first?.id)).toMatchObject({ state: 'paid', refundedCents: 0 })
    expect(await accessOf(user)).toEqual(forGood)
  })

  test('refunded in full, it gives back what was there before', async () => {
    const user = await billing.user()
    await pay(user, halfYear)
    await own(user)
    const until = await accessOf(user)
    await pay(user, lifetime)
    await own(user)
    expect(await accessOf(user)).toEqual(forGood)
    const row = (await rowsOf(user)).find(({ once }) => once === 'forever')
    await billing.api.refunds.create({ payment_intent: row?.stripePaymentIntentId ?? '', amount: 1000 })
    await deliverEvents(user)
    expect(await accessOf(user)).toEqual(forGood)
    await billing.api.refunds.create({ payment_intent: row?.stripePaymentIntentId ?? '' })
    await deliverEvents(user, { times: 2 })
    expect(await accessOf(user)).toEqual(until)
    expect(emailsTo(user).filter((subject) => subject.includes('has ended'))).toHaveLength(1)
  })
})

describe('access for a time', () => {
  test('ends by itself, and buying again extends it', async () => {
    const user = await billing.user()
    await pay(user, halfYear)
    await own(user)
    const first = (await accessOf(user)) ?? new Date(0)
    expect(Math.abs(first.getTime() - addMonths(billing.deps.clock(), 6).getTime())).toBeLessThan(dayMs)
    expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: first.toISOString() })
    await pay(user, halfYear)
    await own(user)
    expect(await accessOf(user)).toEqual(addMonths(first, 6))
    expect(await own(user)).toHaveLength(2)
  })

  test('an owner refunds one of two once, and only its time ends', async () => {
    const user = await billing.user()
    for (const key of [halfYear, halfYear]) {
      await pay(user, key)
      await own(user)
    }
    const [first] = await rowsOf(user)
    const listed = (await billing.call('admin-purchases', { userId: user.id }, owner)).body.items as Purchase[]
    expect(listed).toHaveLength(2)
    const refund = () => billing.call('admin-refund-purchase', { id: first?.id }, owner)
    expect((await Promise.all([refund(), refund()])).map(({ status }) => status)).toEqual([200, 200])
    const rows = await rowsOf(user)
    expect(rows.find(({ id }) => id === first?.id)).toMatchObject({ state: 'refunded', refundedCents: 6000 })
    expect(rows.find(({ id }) => id !== first?.id)).toMatchObject({ state: 'paid', refundedCents: 0 })
    const until = (await accessOf(user))?.getTime() ?? 0
    expect(Math.abs(until - addMonths(billing.deps.clock(), 6).getTime())).toBeLessThan(4 * dayMs)
    const { body } = await billing.call('admin-audit-log', {}, owner)
    expect(JSON.stringify(body.items).split('purchase_refunded')).toHaveLength(2)
    expect((await billing.call('admin-refund-purchase', { id: first?.id }, await billing.user())).status).toBe(403)
  })

  test('a dispute ends it, and winning it gives the time back', async () => {
    const user = await billing.user()
    await pay(user, halfYear, '4000 0000 0000 0259')
    await own(user)
    await deliverEvents(user)
    const [row] = await rowsOf(user)
    expect(row?.state).toBe('disputed')
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    const { data } = await billing.api.disputes.list({ payment_intent: row?.stripePaymentIntentId ?? '' })
    await billing.api.disputes.update(String(data[0]?.id), {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    })
    await deliverEvents(user, { times: 2 })
    expect((await rowsOf(user))[0]?.state).toBe('paid')
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
  })

  test('begins after a canceled plan, and a plan that renews refuses it', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    await billing.check(user, { refresh: true })
    expect((await buy(user, halfYear)).body).toMatchObject({ error: expect.stringContaining('Your plan renews') })
    await billing.call('cancel-plan', { requestId: crypto.randomUUID() }, user)
    const end = (await billing.row(user))?.cancelAt ?? new Date(0)
    await pay(user, halfYear)
    await own(user)
    expect(await accessOf(user)).toEqual(addMonths(end, 6))
  })

  test('closes the open checkout of a plan, and is closed by one', async () => {
    const user = await billing.user()
    const plan = await billing.checkout(user)
    const { status, body } = await buy(user, halfYear)
    expect(status).toBe(200)
    await expect(payAtCheckout(plan)).rejects.toThrow()
    const again = await billing.checkout(user)
    await expect(payAtCheckout(String(body.url))).rejects.toThrow()
    await payAtCheckout(again)
    expect(await own(user)).toEqual([])
  })

  test('is refused to someone who has just paid for a plan, before any webhook', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    expect((await buy(user, halfYear)).body).toMatchObject({ error: expect.stringContaining('Your plan renews') })
  })

  test('staff can’t shorten or end what was paid for, and can extend it', async () => {
    const user = await billing.user()
    await pay(user, halfYear)
    await own(user)
    const grant = (days: number) =>
      billing.call(
        'admin-grant-access',
        { userId: user.id, until: new Date(billing.deps.clock().getTime() + days * dayMs).toISOString() },
        owner,
      )
    expect((await grant(10)).body).toMatchObject({ error: expect.stringContaining('paid for their access') })
    expect((await billing.call('admin-revoke-access', { userId: user.id }, owner)).status).toBe(400)
    expect((await grant(400)).status).toBe(200)
  })
})

test('a lost webhook is found by the job, and a checkout that no one paid is forgotten', async () => {
  const user = await billing.user()
  await pay(user, halfYear)
  const other = await billing.user()
  await buy(other, halfYear)
  const old = new Date(billing.deps.clock().getTime() - 3 * dayMs)
  await billing.db
    .update(purchase)
    .set({ createdAt: old })
    .where(and(eq(purchase.state, 'unpaid')))
  await workOnPurchases(billing.deps)
  expect(await billing.check(user)).toMatchObject({ subscribed: true })
  expect(await rowsOf(other)).toEqual([])
})

test('an event reads its payment from Stripe once, and what it’s for from the metadata', async () => {
  const user = await billing.user()
  await pay(user, halfYear)
  await own(user)
  const [row] = await rowsOf(user)
  const session = row?.stripeSessionId ?? ''
  billing.proxy.calls.length = 0
  await oneTimePaymentJobOf(billing.deps).run({ objectId: session, chargeId: null })
  expect(billing.proxy.calls.map(({ path }) => path.split('?')[0])).toEqual([
    `/v1/checkout/sessions/${session}`,
    '/v1/charges',
  ])
})

test('a price that has changed, a retired item and a plan that renews are refused', async () => {
  const user = await billing.user()
  expect((await buy(user, lifetime, { amountCents: 29_999 })).body.error).toContain('price has changed')
  expect((await billing.call('buy-access', { plan: 'pro_monthly', amountCents: 1000 }, user)).status).toBe(400)
  const [row] = await billing.db.select().from(plan).where(eq(plan.key, lifetime))
  const { body } = await billing.call('create-checkout', { priceId: row?.stripePriceId }, user)
  expect(body.code).toBe('plan_unavailable')
  const gone = await sell({ name: 'Gone', once: 'forever', priceCents: 5000 })
  await billing.call('admin-retire-plan', { key: gone, version: 1, retired: true }, owner)
  expect((await billing.call('buy-access', { plan: gone, amountCents: 5000 }, user)).status).toBe(400)
  expect(await rowsOf(user)).toEqual([])
})

test.each([
  [{ once: 'forever', seats: 3 }, /one person/],
  [{ once: 'period', trialDays: 7 }, /free trial/],
  [{ once: 'forever', priceCents: 49 }, /at least \$0.50/],
  [{ once: 'forever', currency: 'jpy', priceCents: 49 }, /at least ¥50/],
  [{ once: 'sometimes' }, /./],
])('something paid once that can’t be sold is refused: %o', async (more, message) => {
  const { status, body } = await save({ priceCents: 5000, ...more })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)])
})

test('access for good makes a gift useless, which stays for someone else', async () => {
  const user = await billing.user()
  await pay(user, lifetime)
  await own(user)
  const lastDay = new Date(billing.deps.clock().getTime() + 30 * dayMs).toISOString().slice(0, 10)
  const made = await billing.call(
    'admin-create-gift-link',
    { requestId: crypto.randomUUID(), note: 'Fair', months: 3, maxUses: 1, lastDay },
    owner,
  )
  const token = new URL(String(made.body.link)).hash.replace('#gift=', '')
  expect((await billing.call('use-gift-link', { token }, user)).body.error).toContain('access for good')
  expect(await accessOf(user)).toEqual(forGood)
})
