import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { follow, press, visit, words } from './browser.ts'
import {
  advanceDays,
  attachTestCard,
  type Bench,
  clientFor,
  clockedCustomer,
  failure,
  openBench,
  seed,
  waitFor,
} from './support.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

let bench: Bench
let receiver: Receiver
let now: number

beforeEach(async () => {
  now = Date.now()
  receiver = await openReceiver()
  bench = await openBench({ now: () => now, seed: { ...seed, webhook: { secret: 'whsec_chaos', url: receiver.url } } })
})
afterEach(async () => {
  await bench.close()
  await receiver.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const settings = () => visit(`http://localhost:${bench.sandbox.port}/sandbox/settings`)
const deliver = async (fields: Record<string, string>) => press(await settings(), 'Save delivery settings', fields)
const outage = async (kind: string) => press(await settings(), 'Save outage settings', { outage: kind })

async function purchase(): Promise<string[]> {
  const { customer } = await clockedCustomer(bench)
  await bench.stripe.subscriptions.create({ customer: customer.id, items: [{ price: 'price_pro_monthly' }] })
  return (await bench.stripe.events.list({ limit: 100 })).data.map((event) => event.id).reverse()
}

const arrived = () => receiver.received.map((each) => each.id)

test('S39 lost: every third event is never delivered, is marked as lost, and can be resent', async () => {
  await deliver({ lose: 'every third' })
  const ids = await purchase()
  const lost = ids.filter((_, index) => index % 3 === 2)
  await waitFor(() => arrived().length === ids.length - lost.length)
  await waitFor(async () => (await bench.stripe.events.list({ delivery_success: false })).data.length === lost.length)
  expect(arrived()).toEqual(ids.filter((id) => !lost.includes(id)))
  now += 24 * 3600_000
  const page = await visit(`http://localhost:${bench.sandbox.port}/sandbox/events/${lost[0]}`)
  expect(words(page)).toContain('lost on the way')
  expect(words(await press(page, 'Resend'))).toContain('The event was resent.')
  await waitFor(() => arrived().includes(lost[0] ?? ''))
  await deliver({ lose: 'everything' })
  const before = arrived().length
  await bench.stripe.customers.create({})
  await waitFor(
    async () => (await bench.stripe.events.list({ delivery_success: false })).data.length === lost.length + 1,
  )
  await deliver({ lose: 'nothing' })
  const last = await bench.stripe.customers.create({ name: 'Heard' })
  await waitFor(() => receiver.received.at(-1)?.body.includes(last.id))
  expect(arrived()).toHaveLength(before + 1)
})

test('S39 late: nothing is delivered before the delay has passed, then everything in order', async () => {
  await deliver({ delay: '90' })
  const ids = await purchase()
  now += 89_000
  // A resent event isn't delayed, so its arrival means that the queue was polled once.
  await press(await visit(`http://localhost:${bench.sandbox.port}/sandbox/events/${ids[0]}`), 'Resend')
  await waitFor(() => arrived().length === 1)
  now += 1000
  await waitFor(() => arrived().length === ids.length + 1)
  expect(arrived()).toEqual([ids[0], ...ids])
})

test('S39 shuffled: events are delivered out of order, even concurrently, and none is missing', async () => {
  await deliver({ paused: 'yes', order: 'shuffled' })
  const ids = await purchase()
  expect(arrived()).toEqual([])
  await deliver({ paused: 'no', order: 'shuffled' })
  await waitFor(() => arrived().length === ids.length)
  expect(arrived()).not.toEqual(ids)
  expect([...arrived()].sort()).toEqual([...ids].sort())
})

test('S39 doubled: every event is delivered twice with the same id', async () => {
  await deliver({ duplicate: 'yes' })
  const ids = await purchase()
  await waitFor(() => arrived().length === ids.length * 2)
  expect([...arrived()].sort()).toEqual([...ids, ...ids].sort())
})

test('S45 a response lost after the work was done is returned again for the same idempotency key', async () => {
  const impatient = clientFor(bench.sandbox)
  await outage('answers lost')
  const params = { email: 'lost@example.test' }
  const lost = await failure(impatient.customers.create(params, { idempotencyKey: 'once' }))
  expect(lost).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await outage('none')
  const again = await bench.stripe.customers.create(params, { idempotencyKey: 'once' })
  const listed = await bench.stripe.customers.list({ email: 'lost@example.test' })
  expect(listed.data.map((each) => each.id)).toEqual([again.id])
})

test('S45 an outage affects every API request, and no page', async () => {
  await outage('unavailable')
  const wire = await bench.call('GET', '/v1/customers')
  expect(wire.status).toBe(503)
  expect(wire.headers.get('request-id')).toMatch(/^req_/)
  expect((await settings()).status).toBe(200)
})

async function failingRenewal() {
  const { customer, clock } = await clockedCustomer(bench, { at: Date.UTC(2027, 0, 1) / 1000 })
  const items = [{ price: 'price_pro_monthly' }]
  const subscription = await bench.stripe.subscriptions.create({ customer: customer.id, items })
  await attachTestCard(bench, customer.id, 'pm_card_chargeCustomerFail')
  await advanceDays(bench, clock.id, 32)
  await advanceDays(bench, clock.id, 16)
  const read = () => bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  return { clock: clock.id, customer: customer.id, read, subscription: subscription.id }
}

const afterLastTry = async (ending: string) => press(await settings(), 'Save failed-renewal settings', { ending })

test('S29 if the account is configured so, the last failed retry leaves a subscription unpaid: still billed, not collected', async () => {
  await afterLastTry('unpaid')
  const { read, clock, customer, subscription } = await failingRenewal()
  expect(await read()).toMatchObject({ ended_at: null, latest_invoice: { attempt_count: 4 }, status: 'unpaid' })
  await advanceDays(bench, clock, 20)
  const unpaid = await read()
  expect(unpaid).toMatchObject({ latest_invoice: { auto_advance: false, status: 'draft' }, status: 'unpaid' })
  await attachTestCard(bench, customer, 'pm_card_visa')
  await bench.stripe.invoices.pay((unpaid.latest_invoice as Stripe.Invoice).id)
  expect((await read()).status).toBe('active')
  expect((await bench.stripe.invoices.list({ status: 'open', subscription })).data).toHaveLength(1)
})

test('S29 or past due indefinitely, with an invoice every period', async () => {
  await afterLastTry('past_due')
  const { read, clock, subscription } = await failingRenewal()
  expect((await read()).status).toBe('past_due')
  await advanceDays(bench, clock, 20)
  expect((await read()).status).toBe('past_due')
  expect((await bench.stripe.invoices.list({ status: 'open', subscription })).data).toHaveLength(2)
})

test('settings survive a page reload and are shown as chosen', async () => {
  await afterLastTry('unpaid')
  await deliver({ lose: 'everything', order: 'shuffled' })
  const { text } = await settings()
  for (const value of ['unpaid', 'everything', 'shuffled']) expect(text).toMatch(new RegExp(`value="${value}" checked`))
  expect(words(await follow(await settings(), 'Customers'))).toContain('Customers')
})
