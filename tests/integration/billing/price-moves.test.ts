import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { plan, priceMove, priceMoveMember, revenueChange } from '#server/db/schema/index.ts'
import { priceMoveRun, resumeDueMoves } from '#server/features/billing/plans/price-moves/price-moves.ts'
import { priceMoveSteps } from '#server/features/billing/plans/price-moves/run-price-move.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { continueRun } from '#server/jobs/runs.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { PriceMovePreview } from '#shared/contracts/billing/price-moves.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, secondMs, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser
let key: string

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})

/** Each test has a plan of its own. */
beforeEach(async () => {
  const requestId = crypto.randomUUID()
  key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  expect((await savePlan({ requestId })).status).toBe(200)
})

afterEach(async () => {
  await billing.db.update(plan).set({ retiredAt: billing.deps.clock() }).where(eq(plan.key, key))
  await billing.db.delete(priceMove)
})

const savePlan = (more: object) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, name: 'Counter', note: '', features: [], priceCents: 1000, currency: 'usd' },
      ...{ interval: 'month', seats: 1, trialDays: null, requestId: crypto.randomUUID(), ...more },
    },
    owner,
  )

async function setPrice(priceCents: number, more: object = {}) {
  const { version } = await storedPlan()
  expect((await savePlan({ key, version, priceCents, ...more })).status).toBe(200)
}

const storedPlan = async () => {
  const { items } = (await billing.call('admin-plans', {}, owner)).body as StoredPlans
  const found = items.find((one) => one.key === key)
  if (!found) throw new Error('no plan')
  return found
}

const idsOf = async () => {
  const [row] = await billing.db.select().from(plan).where(eq(plan.key, key))
  return { product: row?.stripeProductId ?? '', price: row?.stripePriceId ?? '' }
}

/** A member with the plan at its present price, under a test clock. */
async function member(email?: string) {
  const user = await billing.user(email ? { email } : {})
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, (await idsOf()).price)
  const clock = await startClock(billing.api, customer)
  const sync = () => syncCustomer(billing.deps, customer)
  await sync()
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  const priceNow = async () => (await billing.api.subscriptions.retrieve(id)).items.data[0]?.price.unit_amount
  const travelTo = async (at: Date) => {
    await travel(billing.api, clock.id, at)
    await sync()
  }
  return {
    user,
    customer,
    id,
    end,
    sync,
    travelTo,
    priceNow,
    beforeEnd: (days: number) => new Date(end.getTime() - days * dayMs),
  }
}

const read = async (noticeDays = 30) => {
  const { status, body } = await billing.call('admin-price-move', { plan: key, noticeDays }, owner)
  expect([status, body.error]).toEqual([200, undefined])
  return body as PriceMovePreview
}

const start = async (noticeDays = 30, more: object = {}, who = owner) => {
  const { version, totals } = await read(noticeDays)
  const given = { plan: key, version, noticeDays, totals, requestId: crypto.randomUUID(), ...more }
  return billing.call('admin-start-price-move', given, who)
}

/** Runs the job of the newest move until it waits or ends. */
async function work() {
  const [move] = await billing.db.select().from(priceMove)
  if (move) await continueRun(billing.deps, priceMoveSteps(billing.deps), move.id)
}

const resume = async () => {
  billing.server.jobs.length = 0
  await resumeDueMoves(billing.deps)
  if (billing.server.jobs.some(({ name }) => name === priceMoveRun.name)) await work()
}

const overview = async (user: TestUser) => (await billing.call('billing-overview', {}, user)).body as BillingOverview
const subjects = async ({ user }: { user: TestUser }) =>
  (await billing.server.outbox.list(user.email))
    .map(({ subject }) => subject)
    .filter((subject) => /price/.test(subject))
const states = async () =>
  Object.fromEntries(
    (await billing.db.select().from(priceMoveMember)).map(({ userId, state, reason }) => [userId, reason ?? state]),
  )

test('a member is told ahead, sees the change on the billing page, and pays the new price from the renewal', async () => {
  const one = await member()
  await setPrice(1250)
  expect(await storedPlan()).toMatchObject({ members: 1, onOtherPrice: 1 })
  const preview = await read(20)
  expect(preview).toMatchObject({
    totals: { members: 1, beforeCents: 1000, afterCents: 1250 },
    members: [
      { userId: one.user.id, email: one.user.email, oldCents: 1000, newCents: 1250, at: one.end.toISOString() },
    ],
    stay: [],
    move: null,
  })
  expect((await start(20)).status).toBe(200)
  await work()
  expect(await subjects(one)).toEqual([expect.stringMatching(/price changes on/)])
  const [email] = await billing.server.outbox.list(one.user.email)
  expect(email?.text).toContain('$12.50 per month instead of $10 per month')
  // Nothing has changed at Stripe, and the page says what will.
  expect(await one.priceNow()).toBe(1000)
  const told = await overview(one.user)
  expect(told.price && formatPrice(told.price)).toBe('$10 per month')
  expect(told.priceChange).toMatchObject({ price: { amountCents: 1250 }, at: one.end.toISOString() })
  expect(told.stripe?.nextPayment).toMatchObject({ amountCents: 1250, dueAt: one.end.toISOString() })

  await one.travelTo(one.beforeEnd(8))
  await resume()
  expect(await one.priceNow()).toBe(1000)
  await one.travelTo(one.beforeEnd(6))
  await resume()
  expect(await one.priceNow()).toBe(1250)
  // At Stripe already, and not charged yet.
  const moved = await overview(one.user)
  expect(moved.price && formatPrice(moved.price)).toBe('$10 per month')
  expect(moved.priceChange).toMatchObject({ price: { amountCents: 1250 } })
  expect((await read()).move).toMatchObject({ status: 'finished', counts: { moved: 1 } })

  await one.travelTo(new Date(one.end.getTime() + 2 * 3_600 * secondMs))
  const { data } = await billing.api.invoices.list({ customer: one.customer })
  expect(data.map(({ amount_paid }) => amount_paid)).toEqual([1250, 1000])
  const after = await overview(one.user)
  expect([after.price && formatPrice(after.price), after.priceChange]).toEqual(['$12.50 per month', null])
  const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, one.customer))
  expect(changes.map(({ yearlyCents }) => yearlyCents)).toEqual([12_000, 3_000])
  // Only once, and no email about a switch.
  expect(await subjects(one)).toHaveLength(1)
})

test('a renewal within the notice is paid at the earlier price', async () => {
  const one = await member()
  await setPrice(1500)
  const [planned] = (await read(45)).members
  expect(new Date(planned?.at ?? 0).getTime()).toBeGreaterThan(one.end.getTime() + 25 * dayMs)
  await start(45)
  await work()
  const told = await overview(one.user)
  expect(told.stripe?.nextPayment).toMatchObject({ amountCents: 1000, dueAt: one.end.toISOString() })
  expect(told.priceChange?.at).toBe(planned?.at)
  await one.travelTo(one.beforeEnd(1))
  await resume()
  expect(await one.priceNow()).toBe(1000)
  await one.travelTo(new Date(one.end.getTime() + 26 * dayMs))
  await resume()
  expect(await one.priceNow()).toBe(1500)
})

test('members who canceled, paused or owe a payment are listed with the reason and stay', async () => {
  const [stays, canceled, paused, failed] = [await member(), await member(), await member(), await member()]
  await billing.api.subscriptions.update(canceled.id, { cancel_at_period_end: true })
  await billing.api.subscriptions.update(paused.id, { pause_collection: { behavior: 'void' } })
  const broken = await billing.api.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: failed.customer })
  await billing.api.subscriptions.update(failed.id, { default_payment_method: broken.id })
  await failed.travelTo(new Date(failed.end.getTime() + 3 * 3_600 * secondMs))
  for (const one of [canceled, paused]) await one.sync()
  await setPrice(1100)
  const { totals, stay } = await read()
  expect(totals).toEqual({ members: 1, beforeCents: 1000, afterCents: 1100 })
  expect(new Map(stay.map(({ reason, examples }) => [reason, examples]))).toEqual(
    new Map([
      ['canceled', [canceled.user.email]],
      ['paused', [paused.user.email]],
      ['payment_failed', [failed.user.email]],
    ]),
  )
  await start()
  await work()
  expect(await states()).toEqual({ [stays.user.id]: 'announced' })
})

describe('between the email and the renewal', () => {
  test.each([
    ['cancels', { cancel_at_period_end: true }, 'announced'],
    ['pauses', { pause_collection: { behavior: 'void', resumes_at: 4_000_000_000 } }, 'announced'],
    ['pauses without an end', { pause_collection: { behavior: 'void' } }, 'paused'],
  ] as const)('a member who %s isn’t moved', async (_what, change, state) => {
    const one = await member()
    await setPrice(1300)
    await start(10)
    await work()
    await billing.api.subscriptions.update(one.id, change)
    await one.travelTo(one.beforeEnd(2))
    await resume()
    expect(await one.priceNow()).toBe(1000)
    expect(await states()).toEqual({ [one.user.id]: state })
    expect((await overview(one.user)).priceChange).toBeNull()
  })

  test('a member who switches to another plan keeps that one', async () => {
    const one = await member()
    await setPrice(1300)
    await start(10)
    await work()
    const [item] = (await billing.api.subscriptions.retrieve(one.id)).items.data
    await billing.api.subscriptions.update(one.id, {
      items: [{ id: item?.id, price: billing.priceOf('team_monthly') }],
    })
    await one.travelTo(one.beforeEnd(2))
    await resume()
    expect(await states()).toEqual({ [one.user.id]: 'other_plan' })
    expect(await one.priceNow()).toBe(2000)
    expect((await read()).move?.status).toBe('finished')
  })
})

test('Stripe down halfway: the run goes on where it was, and no one is charged or emailed twice', async () => {
  const members = [await member(), await member(), await member()]
  await setPrice(1400)
  await start(10)
  await work()
  for (const one of members) await one.travelTo(one.beforeEnd(3))
  // One of them is changed; the answer to the next is lost after Stripe has applied it.
  let changes = 0
  billing.proxy.failOnce(
    (call) => {
      if (call.method === 'POST' && /^\/v1\/subscriptions\/sub_/.test(call.path)) changes += 1
      return changes === 2
    },
    'after',
    503,
  )
  await expect(resume()).rejects.toThrow()
  expect((await read()).move).toMatchObject({ status: 'moving', counts: { moved: 1, announced: 2 } })
  await work()
  expect(await Promise.all(members.map(({ priceNow }) => priceNow()))).toEqual([1400, 1400, 1400])
  expect((await read()).move).toMatchObject({ status: 'finished', counts: { moved: 3 } })
  for (const one of members) {
    await one.travelTo(new Date(one.end.getTime() + 2 * 3_600 * secondMs))
    const { data } = await billing.api.invoices.list({ customer: one.customer })
    expect(data.map(({ amount_paid }) => amount_paid)).toEqual([1400, 1000])
    expect(await subjects(one)).toHaveLength(1)
  }
})

test('canceling keeps the price of those who weren’t moved, and tells them', async () => {
  const [early, late] = [await member(), await member()]
  await setPrice(1600)
  await start(10)
  await work()
  await early.travelTo(early.beforeEnd(3))
  await resume()
  const { move } = await read()
  const cancel = () => billing.call('admin-cancel-price-move', { id: move?.id }, owner)
  expect((await cancel()).status).toBe(200)
  expect((await cancel()).status).toBe(200)
  await work()
  expect(await states()).toEqual({ [early.user.id]: 'moved', [late.user.id]: 'kept' })
  expect(await subjects(late)).toEqual(['Your Front Counter price stays the same', expect.stringMatching(/changes/)])
  expect(await subjects(early)).toHaveLength(1)
  await late.travelTo(late.beforeEnd(1))
  await resume()
  expect(await late.priceNow()).toBe(1000)
  expect((await overview(late.user)).priceChange).toBeNull()
  // And they can be moved later.
  expect((await read()).totals.members).toBe(1)
})

test('a second click, a second tab and a second owner start one move', async () => {
  const one = await member()
  await setPrice(1200)
  const requestId = crypto.randomUUID()
  const clicks = await Promise.all([start(30, { requestId }), start(30, { requestId }), start(30, { requestId })])
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200])
  const other = await billing.user({ admin: true })
  const second = await start(30, {}, other)
  expect([second.status, second.body.error]).toEqual([409, expect.stringContaining('are being moved')])
  await work()
  expect(await subjects(one)).toHaveLength(1)
  expect(await billing.db.select().from(priceMove)).toHaveLength(1)
})

test('what the owner agreed to must still be so', async () => {
  await member()
  await setPrice(1200)
  const seen = await read()
  await member()
  await setPrice(1300)
  const stale = await start(30, { version: seen.version })
  expect([stale.status, stale.body.code]).toEqual([409, 'edit_conflict'])
  const other = await start(30, { totals: seen.totals })
  expect([other.status, other.body.code]).toEqual([409, 'edit_conflict'])
  expect(await billing.db.select().from(priceMove)).toEqual([])
})

test('members who pay by another interval or currency stay', async () => {
  await member()
  await setPrice(9000, { interval: 'year' })
  expect((await read()).stay).toMatchObject([{ reason: 'other_interval', members: 1 }])
  await setPrice(1500, { currency: 'jpy' })
  const { stay, totals, version } = await read()
  expect(stay).toMatchObject([{ reason: 'other_currency', members: 1 }])
  const refused = await start(30, { version, totals })
  expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('No member')])
})

test('only owners see and start moves', async () => {
  for (const role of ['viewer', 'editor', 'support'] as const) {
    const user = await billing.user({ role })
    expect((await billing.call('admin-price-move', { plan: key, noticeDays: 30 }, user)).status, role).toBe(403)
    expect((await start(30, {}, user)).status, role).toBe(403)
  }
})
