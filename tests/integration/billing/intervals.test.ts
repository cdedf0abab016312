import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { billingNotice, plan, priceMove, revenueChange } from '#server/db/schema/index.ts'
import { priceMoveSteps } from '#server/features/billing/plans/price-moves/run-price-move.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { endDuePauses } from '#server/features/billing/subscriptions/plan-changes/pause-plan.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { continueRun } from '#server/jobs/runs.ts'
import type { BillingOverview, SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import type { PriceMovePreview } from '#shared/contracts/billing/price-moves.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, deliver, eventsOf, openBilling, payAtCheckout, startClock, travel } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})

type Every = { interval: string; intervalCount: number; priceCents: number }

const save = (every: Every, more: object = {}) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, name: 'Counter', note: '', features: [], currency: 'usd', seats: 1 },
      ...{ trialDays: null, requestId: crypto.randomUUID(), ...every, ...more },
    },
    owner,
  )

async function created(every: Every): Promise<Plan> {
  const requestId = crypto.randomUUID()
  const { status, body } = await save(every, { requestId })
  expect([status, body.error]).toEqual([200, undefined])
  const key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  return ((await billing.call('plans', {})).body.plans as Plan[]).find((one) => one.key === key) as Plan
}

const quarterly = { interval: 'month', intervalCount: 3, priceCents: 5700 }
const halfYearly = { interval: 'month', intervalCount: 6, priceCents: 9900 }
const everyTwoYears = { interval: 'year', intervalCount: 2, priceCents: 15_000 }
const weekly = { interval: 'week', intervalCount: 1, priceCents: 500 }

/** Someone who bought the plan, under a test clock. */
async function member({ priceId }: Plan) {
  const user = await billing.user()
  const { status, body } = await billing.call('create-checkout', { priceId }, user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  const customer = await billing.customerOf(user)
  for (const event of await eventsOf(billing.api, customer)) await deliver(billing, event)
  const clock = await startClock(billing.api, customer)
  const sync = () => syncCustomer(billing.deps, customer)
  await sync()
  const start = (await billing.row(user))?.currentPeriodStart ?? new Date(0)
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  const travelTo = async (at: Date) => {
    await travel(billing.api, clock.id, at)
    await sync()
  }
  const paid = async () =>
    (await billing.api.invoices.list({ customer, limit: 100 })).data
      .toReversed()
      .map(({ status, total }) => [status, total])
  const overview = async () => (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview
  return { user, customer, start, end, sync, travelTo, paid, overview }
}

const mrrOf = async (customer: string) => {
  const rows = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, customer))
  return rows.reduce((sum, { yearlyCents }) => sum + yearlyCents, 0) / 12
}

describe.each([
  ['every 3 months', quarterly, 1900],
  ['every 6 months', halfYearly, 1650],
  ['every 2 years', everyTwoYears, 625],
  ['per week', weekly, 26_000 / 12],
])('a plan paid %s', (text, every, mrr) => {
  test('is sold, shown, counted by the month and renewed by its period', async () => {
    const sold = await created(every)
    const { user, customer, start, end, travelTo, paid, overview } = await member(sold)
    const ends =
      every.interval === 'week'
        ? new Date(start.getTime() + 7 * dayMs)
        : addMonths(start, every.interval === 'year' ? 24 : every.intervalCount)
    expect(end).toEqual(ends)
    const shown = await overview()
    const price = `$${every.priceCents / 100} ${text}`
    expect(shown.price && formatPrice(shown.price)).toBe(price)
    expect((await billing.call('own-price', {}, user)).body.price).toBe(price)
    expect(await mrrOf(customer)).toBe(mrr)
    expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: end.toISOString() })
    await travelTo(new Date(end.getTime() + 2 * 3_600_000))
    expect(await paid()).toEqual([
      ['paid', every.priceCents],
      ['paid', every.priceCents],
    ])
    expect(await mrrOf(customer)).toBe(mrr)
  })
})

test('a reminder is sent 30 days before a plan of half a year renews, and none for a quarter', async () => {
  const half = await member(await created(halfYearly))
  const quarter = await member(await created(quarterly))
  for (const { end, travelTo } of [half, quarter]) await travelTo(new Date(end.getTime() - 29 * dayMs))
  await enqueueScheduledNotices(billing.deps)
  const rows = await billing.db.select().from(billingNotice)
  const reasonsOf = ({ user }: typeof half) =>
    rows.filter(({ userId, reason }) => userId === user.id && reason.startsWith('renewal:')).length
  expect([reasonsOf(half), reasonsOf(quarter)]).toEqual([1, 0])
})

test('a switch from a quarter to a month credits what is unused', async () => {
  const { user, end, start, travelTo, overview } = await member(await created(quarterly))
  await travelTo(new Date((start.getTime() + end.getTime()) / 2))
  const { body } = await billing.call('preview-switch', { priceId: billing.priceOf('pro_monthly') }, user)
  const preview = body as unknown as SwitchPreview
  expect(preview.dueTodayCents).toBe(0)
  expect(Math.abs(preview.creditCents - 1850)).toBeLessThanOrEqual(1)
  const { prorationDate, dueTodayCents } = preview
  const given = {
    priceId: billing.priceOf('pro_monthly'),
    prorationDate,
    dueTodayCents,
    requestId: crypto.randomUUID(),
  }
  expect((await billing.call('switch-plan', given, user)).status).toBe(200)
  expect(await overview()).toMatchObject({ plan: 'pro_monthly', price: { interval: 'month', intervalCount: 1 } })
})

test('a weekly plan is paused for a month and then charged for a new week', async () => {
  const { user, end, travelTo, paid } = await member(await created(weekly))
  const paused = await billing.call('pause-plan', { months: 1, requestId: crypto.randomUUID() }, user)
  expect([paused.status, paused.body.error]).toEqual([200, undefined])
  await travelTo(new Date(end.getTime() + dayMs))
  expect(await billing.check(user)).toMatchObject({ subscribed: false })
  await travelTo(new Date(end.getTime() + 8 * dayMs))
  await travelTo(new Date(end.getTime() + 15 * dayMs))
  await endDuePauses(billing.deps)
  expect(await billing.check(user)).toMatchObject({ subscribed: false })
  await travelTo(new Date(end.getTime() + 22 * dayMs))
  await travelTo(new Date(addMonths(end, 1).getTime() - 60_000))
  await endDuePauses(billing.deps)
  expect(await billing.check(user)).toMatchObject({ subscribed: true })
  const all = await paid()
  expect(all.filter(([status]) => status === 'paid')).toEqual([
    ['paid', 500],
    ['paid', 500],
  ])
  expect(all.at(-1)).toEqual(['paid', 500])
})

test.each([
  ['quarterly', quarterly, 6000],
  ['weekly', weekly, 600],
])('members of a %s plan are moved to its new price at their renewal', async (_name, every, priceCents) => {
  const sold = await created(every)
  const { user, customer, travelTo, sync } = await member(sold)
  const version = 1
  expect((await save({ ...every, priceCents }, { key: sold.key, version })).status).toBe(200)
  const read = async () =>
    (await billing.call('admin-price-move', { plan: sold.key, noticeDays: 10 }, owner)).body as PriceMovePreview
  const { totals, members } = await read()
  expect(totals.members).toBe(1)
  const given = { plan: sold.key, version: 2, noticeDays: 10, totals, requestId: crypto.randomUUID() }
  expect((await billing.call('admin-start-price-move', given, owner)).status).toBe(200)
  const work = async () => {
    await billing.db.update(priceMove).set({ status: 'moving' }).where(eq(priceMove.status, 'announced'))
    await continueRun(billing.deps, priceMoveSteps(billing.deps), given.requestId)
  }
  await continueRun(billing.deps, priceMoveSteps(billing.deps), given.requestId)
  const at = new Date(members[0]?.at ?? 0)
  const price = async () => (await billing.row(user))?.priceCents
  const early = new Date(at.getTime() - (every.interval === 'week' ? 8 : 10) * dayMs)
  if (early > new Date()) {
    await travelTo(early)
    await work()
    expect(await price()).toBe(every.priceCents)
  }
  await travelTo(new Date(at.getTime() - 2 * dayMs))
  await work()
  await sync()
  expect(await price()).toBe(priceCents)
  await travelTo(new Date(at.getTime() + 2 * 3_600_000))
  const newest = (await billing.api.invoices.list({ customer, limit: 1 })).data[0]
  expect([newest?.status, newest?.total]).toEqual(['paid', priceCents])
})

test.each([
  [{ interval: 'month', intervalCount: 37 }, /1 to 36 months/],
  [{ interval: 'year', intervalCount: 4 }, /1 to 3 years/],
  [{ interval: 'day', intervalCount: 6 }, /7 to 1095 days/],
  [{ interval: 'week', intervalCount: 0 }, /1 to 156 weeks/],
  [{ interval: 'hour', intervalCount: 1 }, /./],
])('a period that Stripe doesn’t bill is refused: %o', async (every, message) => {
  const before = await billing.db.$count(plan)
  const { status, body } = await save({ ...every, priceCents: 1000 })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)])
  expect(await billing.db.$count(plan)).toBe(before)
})
