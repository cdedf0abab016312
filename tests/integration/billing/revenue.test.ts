import { readdir, readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  billingCustomer,
  revenueChange,
  revenueCohortTotal,
  revenueCustomer,
  revenueInvoice,
  revenueMonthlyTotal,
  userPreferences,
  users,
} from '#server/db/schema/index.ts'
import { detachCustomer } from '#server/features/billing/subscriptions/customers/stripe-customer-ids.ts'
import { readCohorts } from '#server/features/billing/subscriptions/revenue/read-cohorts.ts'
import { createRevenueByTrade } from '#server/features/billing/subscriptions/revenue/read-revenue-by-trade.ts'
import { writeRevenueRecords } from '#server/features/billing/subscriptions/revenue/write-revenue-records.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { type PlanKey, planKeys } from '#tests/support/default-plans.ts'
import { expectedCohorts, expectedRevenue, ledgerOf } from './revenue/sandbox-ledger.ts'
import { monthsLater, runScenarios, startsAt, wallClock } from './revenue/scenarios.ts'
import { type Billing, deliver, eventsOf, openBilling, subscribe } from './support.ts'

let billing: Billing
let admin: TestUser
const customers: string[] = []

beforeAll(async () => {
  billing = await openBilling({ now: wallClock })
  billing.server.clock.now = startsAt
  admin = await billing.user({ admin: true })
})
afterAll(() => billing.close())

const newCustomer = async () => {
  const user = await billing.user()
  await billing.checkout(user)
  return { user, customer: await billing.customerOf(user) }
}

const planOf = (product: string): PlanKey => {
  const key = planKeys.find((one) => billing.productOf(one) === product)
  if (!key) throw new Error(`no plan is ${product}`)
  return key
}

const report = async (until?: Date) => {
  const input = until && { until: until.toISOString().slice(0, 7) }
  const { status, body } = await billing.call('admin-revenue', input ?? {}, admin)
  expect(status).toBe(200)
  return body as unknown as RevenueReport
}

const readRecords = async () => ({
  changes: await billing.db
    .select()
    .from(revenueChange)
    .orderBy(revenueChange.customerId, revenueChange.at, revenueChange.plan),
  invoices: await billing.db.select().from(revenueInvoice).orderBy(revenueInvoice.id),
  // Totals that became zero may be stored or not.
  figures: (
    await billing.db
      .select()
      .from(revenueMonthlyTotal)
      .orderBy(revenueMonthlyTotal.month, revenueMonthlyTotal.plan, revenueMonthlyTotal.name)
  ).filter(({ cents, count }) => cents !== 0 || count !== 0),
  cohorts: (
    await billing.db.select().from(revenueCohortTotal).orderBy(revenueCohortTotal.cohort, revenueCohortTotal.month)
  ).filter(({ cohort: _cohort, month: _month, ...figures }) => Object.values(figures).some((figure) => figure !== 0)),
})

async function deleteRevenueRecords() {
  for (const table of [revenueChange, revenueInvoice, revenueCustomer, revenueMonthlyTotal, revenueCohortTotal])
    await billing.db.delete(table)
}

const syncAll = async () => {
  for (const customer of customers) await syncCustomer(billing.deps, customer)
}

/** Deterministic for a seed. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  const rank = (index: number) => (Math.imul(index + 1, 2_654_435_761) ^ Math.imul(seed, 40_503)) >>> 0
  return all
    .map((one, index) => ({ one, rank: rank(index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

test('everything is zero before the first payment', async () => {
  const { months, oldest, newest, thisMonth } = await report()
  expect({ oldest, count: months.length }).toEqual({ oldest: null, count: 12 })
  expect(newest).toBe(thisMonth)
  expect(months.at(-1)).toMatchObject({
    month: newest,
    total: { mrrCents: 0, customers: 0, churn: null, failed: { count: 0, cents: 0 } },
    plans: [{ plan: 'pro_monthly' }, { plan: 'pro_yearly' }, { plan: 'team_monthly' }],
  })
})

test('only admins can read it', async () => {
  const reader = await billing.user()
  expect((await billing.call('admin-revenue', {}, reader)).status).toBe(403)
  expect((await billing.call('admin-revenue', {})).status).toBe(401)
  expect((await billing.call('admin-revenue', { until: '2026-13' }, admin)).status).toBe(400)
})

describe('after months of purchases, trials, discounts, switches, failures, refunds and cancellations', () => {
  test('every figure of every month and plan matches the sandbox’s events to the cent', async () => {
    const enter = async () => {
      const { customer } = await newCustomer()
      customers.push(customer)
      return customer
    }
    await runScenarios(billing, enter, (customer) => syncCustomer(billing.deps, customer))
    await syncAll()
    const ledger = await ledgerOf(billing.api, customers, planOf)
    const { newest, oldest } = await report()
    // The newest event is the yearly plan's renewal.
    expect({ oldest, newest }).toEqual({ oldest: '2027-01', newest: '2028-01' })
    for (const until of [monthsLater(13), monthsLater(6)]) {
      for (const { month, total, plans } of (await report(until)).months) {
        expect({ month, ...total }).toEqual({ month, ...expectedRevenue(ledger, month) })
        for (const { plan, revenue } of plans) {
          const expected = expectedRevenue(ledger, month, plan as PlanKey)
          expect({ month, plan, ...revenue }).toEqual({ month, plan, ...expected })
        }
      }
    }
  })

  test.each(['2027-09', '2028-01'])(
    'cohorts as of %s match the sandbox’s events and the books to the cent',
    async (month) => {
      const ledger = await ledgerOf(billing.api, customers, planOf)
      const { cohorts, total } = await readCohorts(billing.db, new Date(`${month}-28T00:00:00Z`), 'usd')
      const expected = expectedCohorts(ledger, month)
      expect(cohorts).toEqual(expected)
      const bills = ledger.invoices.filter(
        ({ paidAt }) => paidAt !== null && new Date(paidAt * 1000).toISOString().slice(0, 7) <= month,
      )
      expect(total).toEqual({
        customers: expected.reduce((sum, { started }) => sum + started, 0),
        remaining: expected.reduce((sum, { remaining }) => sum + (remaining.at(-1) ?? 0), 0),
        paidCents: bills.reduce((sum, { paid }) => sum + paid, 0),
        refundedCents: bills.reduce((sum, { refunded }) => sum + refunded, 0),
      })
    },
  )

  test('the upgrade computes the same cohorts from the records of an earlier version', async () => {
    const { cohorts } = await readRecords()
    const [file = ''] = (await readdir('drizzle/before-1.0')).filter((name) =>
      name.endsWith('_cohorts_and_cancellations.sql'),
    )
    const [backfill = ''] = (await readFile(`drizzle/before-1.0/${file}`, 'utf8'))
      .split('--> statement-breakpoint')
      .slice(-1)
    await billing.db.delete(revenueCohortTotal)
    await billing.db.execute(sql.raw(backfill))
    expect((await readRecords()).cohorts).toEqual(cohorts)
  })

  test('revenue by trade adds up to the books, and follows the answers after ten minutes', async () => {
    const now = new Date('2029-01-31T00:00:00Z')
    const clock = { now }
    const byTrade = createRevenueByTrade({
      config: billing.deps.config,
      database: billing.deps.database,
      clock: () => clock.now,
    })
    const ledger = await ledgerOf(billing.api, customers, planOf)
    const yearly = ledger.moves.reduce((sum, move) => sum + move.yearly, 0)
    const net = ledger.invoices.reduce((sum, { paid, paidAt, refunded }) => sum + (paidAt ? paid - refunded : 0), 0)
    const sums = { mrrCents: Math.round(yearly / 12), netPaidCents: net }
    expect((await byTrade('usd')).trades).toEqual([expect.objectContaining({ trade: null, ...sums })])
    const [paying] = await billing.db
      .select({ userId: billingCustomer.userId })
      .from(billingCustomer)
      .innerJoin(revenueChange, eq(revenueChange.customerId, billingCustomer.stripeCustomerId))
    const answers = { focusAreas: ['Operations'], aiLevel: 'beginner', goals: [], franchiseType: 'Retail' }
    await billing.db.insert(userPreferences).values({ userId: String(paying?.userId), ...answers })
    expect((await byTrade('usd')).trades).toHaveLength(1)
    clock.now = new Date(now.getTime() + 10 * 60_000)
    const { trades } = await byTrade('usd')
    expect(trades.map(({ trade }) => trade).toSorted()).toEqual(['Retail', null])
    expect(trades.reduce((sum, { netPaidCents }) => sum + netPaidCents, 0)).toBe(net)
  })

  test('every kind of change occurs', async () => {
    const totals = (await report(monthsLater(6))).months.map(({ total }) => total)
    const sum = (of: (total: (typeof totals)[number]) => number) => totals.reduce((all, one) => all + of(one), 0)
    for (const figure of ['new', 'returned', 'lost', 'failedOpen', 'failedRecovered', 'failedLost'] as const) {
      expect({ figure, count: sum((total) => total[figure].count) }).not.toEqual({ figure, count: 0 })
    }
    for (const figure of ['expansionCents', 'contractionCents', 'refundedCents'] as const) {
      expect({ figure, cents: sum((total) => total[figure]) }).not.toEqual({ figure, cents: 0 })
    }
  })

  test('a single sync at the end gives the same records', async () => {
    const before = await readRecords()
    await deleteRevenueRecords()
    await syncAll()
    expect(await readRecords()).toEqual(before)
  })

  test.each([1, 2])('duplicated and reordered webhooks give the same records, %i', async (seed) => {
    const before = await readRecords()
    await deleteRevenueRecords()
    const events = (await Promise.all(customers.map((one) => eventsOf(billing.api, one)))).flat()
    for (const [index, event] of shuffled([...events, ...events], seed)
      .slice(0, 25)
      .entries()) {
      expect(await deliver(billing, { ...event, id: `evt_again_${seed}_${index}` })).toBe(200)
    }
    await syncAll()
    expect(await readRecords()).toEqual(before)
  })

  test('concurrent syncs give the same records', async () => {
    const before = await readRecords()
    await deleteRevenueRecords()
    await Promise.all([...customers, ...customers].map((customer) => syncCustomer(billing.deps, customer)))
    expect(await readRecords()).toEqual(before)
  })

  test('a sync without changes makes one list call and writes nothing', async () => {
    const before = await readRecords()
    billing.proxy.calls.length = 0
    await syncAll()
    const read = billing.proxy.calls.filter(({ path }) => /^\/v1\/(subscriptions|invoices|charges|prices)/.test(path))
    // Past-due customers need their open invoices for the grace period.
    const lists = read.filter(({ path }) => !path.includes('status=open'))
    expect(lists.map(({ path }) => path.split('?')[0])).toEqual(customers.map(() => '/v1/subscriptions'))
    expect(await readRecords()).toEqual(before)
  })

  test('an older sync that writes late changes nothing', async () => {
    const before = await readRecords()
    const [customerId = ''] = customers
    const found = { stateHash: 'old', now: new Date(), records: { timelines: [], invoices: [] } }
    await billing.db.transaction((tx) => writeRevenueRecords(tx, { customerId, seq: 1 }, found))
    expect(await readRecords()).toEqual(before)
  })
})

const own = async (customer: string) => ({
  changes: await billing.db
    .select({ kind: revenueChange.kind, yearlyCents: revenueChange.yearlyCents })
    .from(revenueChange)
    .where(eq(revenueChange.customerId, customer))
    .orderBy(revenueChange.at),
  invoices: await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customer)),
})

describe('when a customer is deleted at Stripe before their purchase was synced', () => {
  const deletedUnseen = async () => {
    const { user, customer } = await newCustomer()
    await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
    await billing.api.customers.del(customer)
    return { user, customer }
  }
  const paid = async (customer: string) =>
    (await own(customer)).invoices.map(({ paidCents, refundedCents }) => ({ paidCents, refundedCents }))

  test('the next checkout records the revenue before it replaces the customer', async () => {
    const { user, customer } = await deletedUnseen()
    await billing.checkout(user)
    expect(await billing.customerOf(user)).not.toBe(customer)
    expect(await paid(customer)).toEqual([{ paidCents: 1000, refundedCents: 0 }])
    expect((await own(customer)).changes.reduce((sum, { yearlyCents }) => sum + yearlyCents, 0)).toBe(0)
  })

  test('a retried checkout records it too', async () => {
    const { user, customer } = await deletedUnseen()
    billing.proxy.failOnce(({ path }) => path.startsWith('/v1/invoices'), 'before', 400)
    const input = { priceId: billing.priceOf('pro_yearly') }
    expect((await billing.call('create-checkout', input, user)).status).not.toBe(200)
    expect(await own(customer)).toEqual({ changes: [], invoices: [] })
    await billing.checkout(user)
    expect(await paid(customer)).toEqual([{ paidCents: 1000, refundedCents: 0 }])
  })

  test('a concurrent sync still records what it has read', async () => {
    const { user, customer } = await deletedUnseen()
    const charges = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/charges'))
    const pendingSync = syncCustomer(billing.deps, customer)
    await charges.held
    await detachCustomer(billing.db, user.id, customer)
    charges.release()
    expect(await pendingSync).toBeNull()
    expect(await paid(customer)).toEqual([{ paidCents: 1000, refundedCents: 0 }])
  })

  test('a later refund is recorded too', async () => {
    const { user, customer } = await deletedUnseen()
    await billing.checkout(user)
    const [charge] = (await billing.api.charges.list({ customer })).data
    await billing.api.refunds.create({ charge: charge?.id ?? '', amount: 400 })
    const [refunded] = (await eventsOf(billing.api, customer)).filter(({ type }) => type === 'charge.refunded')
    expect(await deliver(billing, refunded ?? {})).toBe(200)
    expect(await paid(customer)).toEqual([{ paidCents: 1000, refundedCents: 400 }])
  })
})

describe('when an account is deleted', () => {
  const closing = (customerId: string) =>
    subscriptionsJobs(billing.deps)
      .jobs.find(({ name }) => name === 'close-billing-account')
      ?.run({ customerId })

  test('its revenue is kept without personal data, and the plan counts as lost', async () => {
    const { user, customer } = await newCustomer()
    const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_yearly'))
    await syncCustomer(billing.deps, customer)
    await billing.db.delete(users).where(eq(users.id, user.id))
    await closing(customer)
    // It ends in the same second as the purchase or later.
    const ended = (await billing.api.subscriptions.retrieve(id)).status
    const { changes, invoices } = await own(customer)
    expect(ended).toBe('canceled')
    expect(changes.reduce((sum, { yearlyCents }) => sum + yearlyCents, 0)).toBe(0)
    expect(invoices).toMatchObject([{ status: 'paid', paidCents: 9900, refundedCents: 0 }])
    expect(JSON.stringify(await own(customer))).not.toContain(user.id)
  })

  test('a later refund is recorded', async () => {
    const { user, customer } = await newCustomer()
    await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
    await syncCustomer(billing.deps, customer)
    await billing.db.delete(users).where(eq(users.id, user.id))
    await closing(customer)
    const [charge] = (await billing.api.charges.list({ customer })).data
    await billing.api.refunds.create({ charge: charge?.id ?? '', amount: 400 })
    const [refunded] = (await eventsOf(billing.api, customer)).filter(({ type }) => type === 'charge.refunded')
    expect(await deliver(billing, refunded ?? {})).toBe(200)
    expect((await own(customer)).invoices).toMatchObject([{ paidCents: 1000, refundedCents: 400 }])
  })

  test('a customer deleted at Stripe has no further revenue', async () => {
    const { customer } = await newCustomer()
    await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
    await syncCustomer(billing.deps, customer)
    const syncId = { customerId: customer, seq: Number.MAX_SAFE_INTEGER }
    await billing.db.transaction((tx) =>
      writeRevenueRecords(tx, syncId, { stateHash: 'gone', now: new Date(0), records: null }),
    )
    const { changes, invoices } = await own(customer)
    expect(changes).toEqual([
      { kind: 'new', yearlyCents: 24_000 },
      { kind: 'lost', yearlyCents: -24_000 },
    ])
    expect(invoices).toMatchObject([{ paidCents: 2000 }])
  })
})
