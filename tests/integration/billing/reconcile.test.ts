import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import { billingCustomer, counters, pendingCheckout, stripeEvent, subscriptionState } from '#server/db/schema/index.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import { reconcileActiveSubscriptions } from '#server/features/billing/subscriptions/webhooks/reconcile-active-subscriptions.ts'
import { onEvent } from '#server/monitoring/events.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  attachCard,
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  payAtCheckout,
  startClock,
  subscribe,
  travel,
  withoutSyncFields,
} from './support.ts'

const cursor = 'billing_events_cursor'

const billing = openForTests(() => openBilling())
beforeEach(async () => {
  billing.server.clock.now = new Date()
  await billing.db.delete(counters).where(eq(counters.name, cursor))
  billing.proxy.outage = null
  billing.proxy.calls.length = 0
})

async function buyer(): Promise<{ user: TestUser; customer: string; subscription: string }> {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  return { user, customer, subscription: id }
}

test('B25: after a day without webhooks, one run repairs everything and a second one changes nothing', async () => {
  const bought = await buyer()
  const ended = await buyer()
  const [event] = (await eventsOf(billing.api, ended.customer)).filter(({ type }) => type === 'invoice.paid')
  await deliver(billing, event ?? {})
  await billing.api.subscriptions.cancel(ended.subscription)
  const gone = await buyer()
  await billing.api.customers.del(gone.customer)

  const first = await reconcile(billing.deps)
  expect(first?.missed.events).toBeGreaterThan(10)
  expect(first?.missed).toMatchObject({ changed: 2, failed: 0 })
  expect((await billing.row(bought.user))?.status).toBe('active')
  expect((await billing.row(ended.user))?.status).toBe('canceled')
  expect((await billing.row(gone.user))?.status).toBe('none')
  await expect(billing.customerOf(gone.user)).rejects.toThrow()
  expect((await billing.storedEvents()).every(({ processedAt }) => processedAt !== null)).toBe(true)

  billing.server.clock.advance(60 * 60 * 1000)
  expect(await reconcile(billing.deps)).toEqual({
    missed: { events: 0, changed: 0, failed: 0 },
    retried: { events: 0, changed: 0, failed: 0 },
    due: { rows: 0, changed: 0, failed: 0 },
  })
})

test('an event whose processing failed is retried after five minutes', async () => {
  const { user, customer } = await buyer()
  const event = (await eventsOf(billing.api, customer)).find(({ type }) => type === 'invoice.paid')
  billing.proxy.outage = 'refused'
  expect(await deliver(billing, event ?? {})).toBe(200)
  billing.proxy.outage = null
  await reconcile(billing.deps)
  billing.server.clock.advance(6 * 60 * 1000)
  const second = await reconcile(billing.deps)
  expect(second?.retried).toMatchObject({ events: 1, failed: 0 })
  expect((await billing.row(user))?.status).toBe('active')
})

test('live rows not synced for a day are synced, even without an event', async () => {
  const { user, subscription } = await buyer()
  await reconcile(billing.deps)
  await billing.api.subscriptions.cancel(subscription)
  // Moving the cursor past the cancellation simulates an event missing from Stripe's list.
  billing.server.clock.advance(dayMs + 60_000)
  const value = Math.floor(billing.server.clock.now.getTime() / 1000) + 3 * 60 * 60
  await billing.db.update(counters).set({ value }).where(eq(counters.name, cursor))
  const report = await reconcile(billing.deps)
  expect(report?.missed.events).toBe(0)
  expect(report?.due.changed).toBeGreaterThanOrEqual(1)
  expect((await billing.row(user))?.status).toBe('canceled')
})

describe('when more rows are due than the subscription list has pages', () => {
  const lists = () => billing.proxy.calls.filter(({ path }) => path.startsWith('/v1/subscriptions?'))
  const oneByOne = () => lists().filter(({ path }) => path.includes('customer='))
  /** Moves the clock by a day and the cursor past all events. */
  async function aDayLater() {
    billing.server.clock.advance(dayMs + 60_000)
    const value = Math.floor(billing.server.clock.now.getTime() / 1000) + 3 * 60 * 60
    await billing.db
      .insert(counters)
      .values({ name: cursor, bucket: new Date(0), value })
      .onConflictDoUpdate({ target: [counters.name, counters.bucket], set: { value } })
    billing.proxy.calls.length = 0
  }
  beforeEach(async () => {
    // Customers of earlier tests are unknown now.
    for (const table of [subscriptionState, pendingCheckout, billingCustomer]) await billing.db.delete(table)
  })

  test('rows are compared page by page, and only customers that differ are synced individually', async () => {
    const same = [await buyer(), await buyer(), await buyer(), await buyer()]
    const canceled = await buyer()
    const switched = await buyer()
    await reconcile(billing.deps)
    const before = await billing.row(same[0]?.user as TestUser)
    await billing.api.subscriptions.cancel(canceled.subscription)
    await billing.api.subscriptions.update(switched.subscription, { cancel_at_period_end: true })
    await aDayLater()

    const report = await reconcile(billing.deps)
    expect(report?.due).toEqual({ rows: 6, changed: 2, failed: 0 })
    expect(oneByOne().map(({ path }) => new URL(path, 'http://x').searchParams.get('customer'))).toEqual([
      switched.customer,
      canceled.customer,
    ])
    expect(lists()).toHaveLength(3)
    expect((await billing.row(canceled.user))?.status).toBe('canceled')
    expect((await billing.row(switched.user))?.cancelAt).not.toBeNull()
    const after = await billing.row(same[0]?.user as TestUser)
    expect(withoutSyncFields(after)).toEqual(withoutSyncFields(before))
    expect(after?.syncedAt).toEqual(billing.server.clock.now)
    expect(after?.syncSeq).toBeGreaterThan(before?.syncSeq ?? 0)

    billing.proxy.calls.length = 0
    expect((await reconcile(billing.deps))?.due).toEqual({ rows: 0, changed: 0, failed: 0 })
    expect(lists()).toEqual([])
  })

  test('a second live subscription is found even if the row matches the first', async () => {
    const twice = await buyer()
    await buyer()
    await reconcile(billing.deps)
    await subscribe(billing.api, twice.customer, billing.priceOf('team_monthly'))
    await aDayLater()
    await reconcile(billing.deps)
    const live = await billing.api.subscriptions.list({ customer: twice.customer })
    expect(live.data.map(({ id }) => id)).toEqual([twice.subscription])
  })

  test('past-due customers are synced individually, since their grace period depends on an invoice', async () => {
    const late = await buyer()
    await buyer()
    await reconcile(billing.deps)
    const card = await attachCard(billing.api, late.customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(late.subscription, { default_payment_method: card })
    const clock = await startClock(billing.api, late.customer)
    await travel(billing.api, clock.id, new Date(clock.frozen_time * 1000 + 32 * dayMs))
    await aDayLater()
    await reconcile(billing.deps)
    expect(await billing.row(late.user)).toMatchObject({ status: 'past_due', unpaidSince: expect.any(Date) })
    await aDayLater()
    await reconcile(billing.deps)
    expect(oneByOne()).toHaveLength(1)
    expect((await billing.row(late.user))?.unpaidSince).not.toBeNull()
  })

  test('if the list fails midway, the remaining customers are synced individually', async () => {
    const some = [await buyer(), await buyer()]
    await reconcile(billing.deps)
    await aDayLater()
    const isWalk = ({ path }: { path: string }) => path.startsWith('/v1/subscriptions?limit')
    billing.proxy.failOnce(isWalk, 'before', 400)
    const report = await reconcile(billing.deps)
    expect(report?.due).toEqual({ rows: 2, changed: 0, failed: 1 })
    for (const { user } of some) expect((await billing.row(user))?.syncedAt).toEqual(billing.server.clock.now)
  })

  test('reading stops early if the Stripe account has many subscriptions that aren’t ours', async () => {
    const asked: unknown[] = []
    const list = async ({ starting_after: after }: Stripe.SubscriptionListParams) => {
      asked.push(after)
      return { data: [{ id: `sub_${asked.length}`, customer: 'cus_of_another_shop' }], has_more: true }
    }
    const stripe = { subscriptions: { list } } as unknown as Stripe
    expect(await reconcileActiveSubscriptions({ ...billing.deps, stripe }, 3)).toEqual({
      rows: 0,
      changed: 0,
      failed: 0,
    })
    expect(asked).toEqual([undefined, 'sub_1', 'sub_2'])
  })
})

test('a paid checkout is synced before it is deleted, and kept while Stripe is down', async () => {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  const customer = await billing.customerOf(user)
  await billing.db.update(pendingCheckout).set({ createdAt: new Date(billing.server.clock.now.getTime() - 2 * dayMs) })
  const value = Math.floor(billing.server.clock.now.getTime() / 1000) + 3 * 60 * 60
  await billing.db.insert(counters).values({ name: cursor, bucket: new Date(0), value })
  await billing.db.delete(stripeEvent)
  billing.proxy.failOnce(({ path }) => path.includes(`customer=${customer}`), 'before', 400)
  await reconcile(billing.deps)
  expect(await billing.pending(user)).not.toBeNull()
  await reconcile(billing.deps)
  expect(await billing.pending(user)).toBeNull()
  expect((await billing.row(user))?.status).toBe('active')
})

test('one failing customer does not stop the others from being repaired', async () => {
  const { user } = await buyer()
  const other = await buyer()
  billing.proxy.failOnce((call) => call.path.includes(other.customer) && call.path.startsWith('/v1/subscriptions'))
  const report = await reconcile(billing.deps)
  expect(report?.missed).toMatchObject({ failed: 1 })
  expect((await billing.row(user))?.status).toBe('active')
  billing.server.clock.advance(6 * 60 * 1000)
  expect((await reconcile(billing.deps))?.retried.changed).toBe(1)
  expect((await billing.row(other.user))?.status).toBe('active')
})

test('each run tells monitoring how many differences and failures it found', async () => {
  const reported: unknown[] = []
  const stop = onEvent('stripeReconciliation', (found) => reported.push(found))
  const report = await reconcile(billing.deps)
  await buyer()
  const next = await reconcile(billing.deps)
  stop()
  expect(next?.missed.changed).toBe(1)
  expect(reported).toEqual(
    [report, next].map((each) => ({
      differences: (each?.missed.changed ?? 0) + (each?.retried.changed ?? 0) + (each?.due.changed ?? 0),
      failures: 0,
    })),
  )
})

test('a second run that starts during the first does nothing', async () => {
  const listing = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/events'))
  const first = reconcile(billing.deps)
  await listing.held
  expect(await reconcile(billing.deps)).toBeNull()
  listing.release()
  expect(await first).not.toBeNull()
})

test('B26: closing a billing account cancels its subscription exactly once, even after an outage', async () => {
  const { customer, subscription } = await buyer()
  const job = subscriptionsJobs(billing.deps).jobs.find(({ name }) => name === 'close-billing-account')
  billing.proxy.outage = 'refused'
  await expect(job?.run({ customerId: customer })).rejects.toThrow()
  billing.proxy.outage = null
  await job?.run({ customerId: customer })
  expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled')
  expect(await billing.api.customers.retrieve(customer)).toMatchObject({ deleted: true })
  await job?.run({ customerId: customer })
  const [deleted] = (await eventsOf(billing.api, customer)).filter(({ type }) => type === 'customer.deleted')
  expect(await deliver(billing, deleted ?? {})).toBe(200)
})

test('the hourly job runs the reconciliation, whatever its payload', async () => {
  const { jobs, schedules } = subscriptionsJobs(billing.deps)
  const job = jobs.find(({ name }) => name === schedules[0]?.job)
  await billing.db.delete(stripeEvent)
  await billing.db.delete(subscriptionState)
  await job?.run(job.payload.parse(null))
  expect((await billing.storedEvents()).length).toBeGreaterThan(0)
})
