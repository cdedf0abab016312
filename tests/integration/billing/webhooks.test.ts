import { beforeEach, describe, expect, test } from 'vitest'
import {
  processRecordedEvents,
  recordEvents,
  stripeEventsJob,
} from '#server/features/billing/subscriptions/webhooks/process-event.ts'
import { onEvent } from '#server/monitoring/events.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { startCrashableNode } from '#tests/support/crashable-node.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver, eventsOf, openBilling, runEventJobs, subscribe, withoutSyncFields } from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
  billing.proxy.outage = null
})

/** A user who has paid, before any webhook arrives. */
async function buyer(): Promise<{ user: TestUser; customer: string }> {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  return { user, customer }
}

const eventOf = async (customer: string, type: string) => {
  const event = (await eventsOf(billing.api, customer)).find((each) => each.type === type)
  if (!event) throw new Error(`no ${type} happened`)
  return event
}

const lineOf = async (id: string) => (await billing.storedEvents()).find((line) => line.id === id)

test('B2: a webhook alone activates the subscription, without the return from checkout', async () => {
  const { user, customer } = await buyer()
  expect((await billing.row(user))?.status).toBe('none')
  expect(await deliver(billing, await eventOf(customer, 'invoice.paid'))).toBe(200)
  const subscription = await billing.check(user)
  expect(subscription).toMatchObject({ subscribed: true, product_id: billing.productOf('pro_monthly') })
  expect(new Date(String(subscription.subscription_end)).getTime()).toBeGreaterThan(Date.now())
  expect(await billing.pending(user)).toBeNull()
})

test('B4: the same event ten times at once is recorded once and results in one state', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'customer.subscription.created')
  const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(billing, event)))
  expect(new Set(answers)).toEqual(new Set([200]))
  expect((await billing.storedEvents()).filter(({ id }) => id === event.id)).toHaveLength(1)
  expect((await lineOf(event.id))?.processedAt).toBeInstanceOf(Date)
  expect((await billing.row(user))?.status).toBe('active')
  billing.proxy.calls.length = 0
  expect(await deliver(billing, event)).toBe(200)
  expect(billing.proxy.calls).toEqual([])
})

test('an event and its job are stored together, and an event that arrives again is enqueued until it is processed', async () => {
  const { customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  const queued = () => billing.server.jobs.filter(({ name }) => name === stripeEventsJob.name)
  const { deps } = billing
  const { enqueue } = deps
  deps.enqueue = async () => {
    throw new Error('the database is gone')
  }
  await expect(recordEvents(deps, [event])).rejects.toThrow('the database is gone')
  deps.enqueue = enqueue
  expect(await lineOf(event.id)).toBeUndefined()

  await recordEvents(deps, [event])
  await recordEvents(deps, [event])
  expect(queued()).toHaveLength(2)
  await runEventJobs(billing.server)
  await recordEvents(deps, [event])
  expect(queued()).toEqual([])
})

test('different events that arrive at the same moment, some of them twice, are stored once each and processed', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  const burst = ['c', 'a', 'b'].map((suffix) => ({ ...event, id: `evt_burst_${suffix}` }))
  const ignored = { ...event, id: 'evt_burst_ignored', type: 'invoice.updated' }
  const answers = await Promise.all([...burst, ignored, ...burst, ignored].map((each) => deliver(billing, each)))
  expect(new Set(answers)).toEqual(new Set([200]))
  for (const { id } of [...burst, ignored]) expect((await lineOf(id))?.processedAt, id).toBeInstanceOf(Date)
  expect(await lineOf(ignored.id)).toMatchObject({
    type: 'invoice.updated',
    created: new Date(event.created * 1000),
    customerId: customer,
  })
  expect((await billing.row(user))?.status).toBe('active')
})

const readsOf = (path: string) => billing.proxy.calls.filter((call) => call.path.startsWith(path)).length

test('events that arrive together share jobs of ten, and a customer of several events is read once', async () => {
  const { customer } = await buyer()
  const other = await buyer()
  const events = [await eventOf(customer, 'invoice.paid'), await eventOf(other.customer, 'invoice.paid')]
  const burst = Array.from({ length: 16 }, (_, index) => ({ ...events[index % 2], id: `evt_together_${index}` }))
  await recordEvents(billing.deps, burst as typeof events)
  const sizes = billing.server.jobs.map(({ payload }) => stripeEventsJob.payload.parse(payload).events.length)
  expect(sizes.toSorted()).toEqual([10, 6])
  billing.proxy.calls.length = 0
  await runEventJobs(billing.server)
  expect([readsOf('/v1/subscriptions?'), readsOf('/v1/invoices?'), readsOf('/v1/charges?')]).toEqual([2, 2, 2])
  for (const { id } of burst) expect((await lineOf(id))?.processedAt, id).toBeInstanceOf(Date)
  expect((await billing.row(other.user))?.status).toBe('active')
})

test('an event about a subscription that is stored already reads no payments', async () => {
  const { customer } = await buyer()
  const updated = await eventOf(customer, 'customer.subscription.created')
  await deliver(billing, updated)
  billing.proxy.calls.length = 0
  await deliver(billing, { ...updated, id: 'evt_subscription_again' })
  expect([readsOf('/v1/subscriptions?'), readsOf('/v1/invoices?'), readsOf('/v1/charges?')]).toEqual([1, 0, 0])
  expect((await lineOf('evt_subscription_again'))?.processedAt).toBeInstanceOf(Date)
})

test('an older event after a newer one changes nothing', async () => {
  const { user, customer } = await buyer()
  const created = await eventOf(customer, 'customer.subscription.created')
  const [subscription] = (await billing.api.subscriptions.list({ customer })).data
  await billing.api.subscriptions.cancel(subscription?.id ?? '')
  await deliver(billing, await eventOf(customer, 'customer.subscription.deleted'))
  const row = withoutSyncFields(await billing.row(user))
  expect(row?.status).toBe('canceled')
  await deliver(billing, created)
  expect(withoutSyncFields(await billing.row(user))).toEqual(row)
  expect((await lineOf(created.id))?.processedAt).toBeInstanceOf(Date)
})

test('jobs of a version that enqueued each event on its own are processed', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  await recordEvents(billing.deps, [event])
  const [job] = billing.server.jobs.splice(0)
  const { events } = stripeEventsJob.payload.parse(job?.payload)
  expect(stripeEventsJob.payload.parse(events[0])).toEqual({ events })
  await processRecordedEvents(billing.deps, events)
  expect((await billing.row(user))?.status).toBe('active')
})

test.each(['before', 'after'] as const)(
  'a server that dies %s any step between receiving and storing loses no event',
  async (when) => {
    const { user, customer } = await buyer()
    const event = await eventOf(customer, 'invoice.paid')
    const config = { ...billing.deps.config.stripe, port: billing.sandboxPort } as Parameters<
      typeof startCrashableNode
    >[1]
    let deaths = 0
    for (let steps = 0; ; steps += 1) {
      // The first one changes the row, and the others find what is stored.
      const id = `evt_${when}_${steps}`
      await recordEvents(billing.deps, [{ ...event, id }])
      const node = startCrashableNode(billing.deps, config, { network: () => 'up' })
      node.dieAfter(steps, when)
      const [job] = billing.server.jobs
      await processRecordedEvents(node.deps, stripeEventsJob.payload.parse(job?.payload).events).catch(() => {})
      await runEventJobs(billing.server)
      expect((await lineOf(id))?.processedAt, id).toBeInstanceOf(Date)
      expect((await billing.row(user))?.status).toBe('active')
      if (!node.isDead()) break
      deaths += 1
    }
    expect(deaths).toBeGreaterThan(5)
  },
)

test('each webhook tells monitoring its outcome', async () => {
  const outcomes: string[] = []
  const stop = onEvent('stripeWebhook', ({ outcome }) => outcomes.push(outcome))
  const { customer } = await buyer()
  const event = await eventOf(customer, 'customer.subscription.created')
  await deliver(billing, event)
  await deliver(billing, event)
  const paid = await eventOf(customer, 'invoice.paid')
  billing.proxy.outage = 'refused'
  await deliver(billing, paid)
  billing.proxy.outage = null
  await runEventJobs(billing.server)
  stop()
  expect(outcomes).toEqual(['synced', 'already processed', 'failed', 'synced'])
})

test('payload fields are never stored: a forged state in a signed event has no effect', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'customer.subscription.created')
  const object = { ...event.data.object, status: 'canceled', cancel_at: 1, items: { data: [] } }
  expect(await deliver(billing, { ...event, id: 'evt_forged_state', data: { object } })).toBe(200)
  expect((await billing.row(user))?.status).toBe('active')
})

describe('B6: unverified events are refused and not recorded', () => {
  const refused = async (delivery: Parameters<typeof deliver>[2], status = 400) => {
    const before = await billing.storedEvents()
    const { user, customer } = await buyer()
    const event = await eventOf(customer, 'invoice.paid')
    expect(await deliver(billing, event, delivery)).toBe(status)
    expect(await billing.storedEvents()).toEqual(before)
    expect((await billing.row(user))?.status).toBe('none')
  }

  test('a wrong secret', () => refused({ secret: 'whsec_somebody_else' }))
  test('no signature', () => refused({ header: null }))
  test('a malformed signature', () => refused({ header: 't=now,v1=zz' }))
  test('a signature of 301 seconds ago', () => refused({ ageSeconds: 301 }))
  test('a reserialized body', async () => {
    const { customer } = await buyer()
    const event = await eventOf(customer, 'invoice.paid')
    await refused({ body: JSON.stringify(event, null, 2) })
  })
  test('a signed body that is not an event', async () => {
    expect(await deliver(billing, { hello: 'world' })).toBe(400)
    expect(await deliver(billing, { id: 'evt_1', type: 'invoice.paid', created: 1, livemode: false, data: null })).toBe(
      400,
    )
  })
  test('a body larger than 1 MiB', async () => {
    expect(await deliver(billing, { id: 'evt_large', filler: 'x'.repeat(1024 * 1024) })).toBe(413)
  })
})

test('a signed event with ids or dates that cannot be stored returns 400, not 500', async () => {
  const { customer } = await buyer()
  const event = await eventOf(customer, 'customer.subscription.created')
  const nul = { ...event.data.object, customer: 'cus_\u0000' }
  expect(await deliver(billing, { ...event, id: 'evt_\u0000' })).toBe(400)
  expect(await deliver(billing, { ...event, id: 'evt_nul_customer', data: { object: nul } })).toBe(400)
  expect(await deliver(billing, { ...event, id: 'evt_far_future', created: Number.MAX_SAFE_INTEGER })).toBe(400)
})

test('many invalid signatures are rate limited, and a valid event still passes', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  const answers = new Set<number>()
  for (let tries = 0; tries < 40; tries += 1) answers.add(await deliver(billing, event, { secret: 'whsec_wrong' }))
  expect(answers).toContain(429)
  expect(await deliver(billing, event)).toBe(200)
  expect((await billing.row(user))?.status).toBe('active')
})

test('B7: both secrets are accepted during a rotation', async () => {
  const { customer } = await buyer()
  const [first, second] = (await eventsOf(billing.api, customer)).slice(-2)
  const secrets = billing.deps.config.stripe.webhookSecrets
  secrets.push('whsec_the_next_one')
  try {
    expect(await deliver(billing, first ?? {}, { secret: 'whsec_the_next_one' })).toBe(200)
    expect(await deliver(billing, second ?? {})).toBe(200)
  } finally {
    secrets.pop()
  }
})

test('B8: an event is answered once it is stored; a failed sync leaves it unprocessed, and the next run repairs it', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  billing.proxy.outage = 'refused'
  expect(await deliver(billing, event)).toBe(200)
  expect(await lineOf(event.id)).toMatchObject({ processedAt: null, attempts: 1, lastError: 'StripeAPIError' })
  expect((await billing.row(user))?.status).toBe('none')
  billing.proxy.outage = null
  expect(await deliver(billing, event)).toBe(200)
  expect(await lineOf(event.id)).toMatchObject({ processedAt: expect.any(Date), lastError: null })
  expect((await billing.row(user))?.status).toBe('active')
})

test('B9: unknown customers and ignored types return 200 and change nothing', async () => {
  const { user, customer } = await buyer()
  const before = withoutSyncFields(await billing.row(user))
  const stranger = await billing.api.customers.create({ email: user.email })
  await subscribe(billing.api, stranger.id, billing.priceOf('pro_monthly'))
  expect(await deliver(billing, await eventOf(stranger.id, 'invoice.paid'))).toBe(200)
  expect(await deliver(billing, await eventOf(customer, 'charge.succeeded'))).toBe(200)
  expect(
    await deliver(billing, { ...(await eventOf(customer, 'invoice.paid')), id: 'evt_new', type: 'v9.strange' }),
  ).toBe(200)
  expect(billing.proxy.calls.filter(({ path }) => path.startsWith('/v1/subscriptions'))).toHaveLength(1)
  expect(withoutSyncFields(await billing.row(user))).toEqual(before)
})

test('B10: an event of the live mode is refused while a test key is configured', async () => {
  const { user, customer } = await buyer()
  const event = await eventOf(customer, 'invoice.paid')
  expect(await deliver(billing, { ...event, livemode: true })).toBe(400)
  expect(await lineOf(event.id)).toBeUndefined()
  expect((await billing.row(user))?.status).toBe('none')
})

test('B22: a dispute is recorded for its charge’s customer and does not end access', async () => {
  const { user, customer } = await buyer()
  const [charge] = (await billing.api.charges.list({ customer })).data
  const dispute = (id: string, of: string) => ({
    ...{ id, object: 'event', type: 'charge.dispute.created', created: 1_800_000_000, livemode: false },
    data: { object: { id: 'dp_1', object: 'dispute', charge: of } },
  })
  expect(await deliver(billing, dispute('evt_dispute', charge?.id ?? ''))).toBe(200)
  expect((await billing.check(user)).subscribed).toBe(true)
  expect(await lineOf('evt_dispute')).toMatchObject({ customerId: customer, processedAt: expect.any(Date) })
  expect(await deliver(billing, dispute('evt_other_dispute', 'ch_unknown'))).toBe(200)
})
