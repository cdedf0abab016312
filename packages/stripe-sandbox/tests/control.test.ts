import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { follow, press, visit, words } from './browser.ts'
import { attachTestCard, type Bench, clientFor, eventTypes, failure, openBench, seed, waitFor } from './support.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

let bench: Bench
let receiver: Receiver

beforeEach(async () => {
  receiver = await openReceiver()
  bench = await openBench({ seed: { ...seed, webhook: { secret: 'whsec_control', url: receiver.url } } })
})
afterEach(async () => {
  await bench.close()
  await receiver.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const address = (path: string) => `http://localhost:${bench.sandbox.port}${path}`

async function subscriber(email = 'ida@example.test') {
  const customer = await bench.stripe.customers.create({ email })
  await attachTestCard(bench, customer.id, 'pm_card_visa')
  const subscription = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro_monthly' }],
  })
  return {
    customer: customer.id,
    page: () => visit(address(`/sandbox/customers/${customer.id}`)),
    subscription: subscription.id,
  }
}

const status = async (id: string) => (await bench.stripe.subscriptions.retrieve(id)).status

test('the control page lists customers with their subscriptions', async () => {
  await subscriber()
  await subscriber('eva@example.test')
  const all = words(await visit(address('/')))
  expect(all).toContain('STRIPE SANDBOX – no real payments')
  expect(all).toMatch(/eva@example.test Pro Monthly active .* ida@example.test Pro Monthly active/)
  expect(words(await visit(address('/sandbox?q=ida')))).not.toContain('eva@example.test')
})

test('a customer subscribes to another product of the account, charged to the saved card', async () => {
  const { page, customer, subscription } = await subscriber()
  expect(words(await press(await page(), 'Subscribe', { product: 'Coaching', amount: '500' }))).toContain(
    'The customer subscribes to Coaching.',
  )
  const all = (await bench.stripe.subscriptions.list({ customer })).data
  expect(all).toHaveLength(2)
  const other = all.find(({ id }) => id !== subscription)
  expect(other).toMatchObject({ status: 'active' })
  expect(other?.items.data[0]?.price).toMatchObject({ currency: 'usd', unit_amount: 50_000 })
  const refused = await press(await page(), 'Subscribe', { product: 'Coaching', amount: '0' })
  expect(words(refused)).toContain('A product needs a name and a price')
})

test('a customer’s clock advances to the next renewal, which is paid or fails as requested', async () => {
  const { page, subscription, customer } = await subscriber()
  const ready = () => waitFor(async () => !(await page()).text.includes('advancing…'))
  await press(await page(), 'To the next renewal')
  await ready()
  expect((await bench.stripe.invoices.list({ subscription })).data.map((each) => each.status)).toEqual(['paid', 'paid'])
  expect(words(await page())).toContain('Simulated time')
  await press(await page(), 'Next charge fails')
  await press(await page(), '+1 month and 1 hour')
  await ready()
  expect(await status(subscription)).toBe('past_due')
  await press(await page(), '+1 day')
  await ready()
  const far = await press(await page(), 'Travel', { to: '2090-01-01T00:00' })
  expect(words(far)).toContain('two intervals')
  const portal = await press(await page(), 'Open the customer portal')
  expect(words(await press(portal, 'Pay now'))).toContain('is paid.')
  expect(await status(subscription)).toBe('active')
  expect((await bench.stripe.subscriptions.list({ customer })).data).toHaveLength(1)
})

test('refunds and disputes are created by hand, and their events reach the application', async () => {
  const { page, customer, subscription } = await subscriber()
  await press(await page(), 'Dispute')
  const types = await eventTypes(bench, (await bench.stripe.charges.list({ customer })).data[0]?.id ?? '')
  expect(types.slice(-2)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn'])
  await press(await page(), 'Dispute lost')
  const [dispute] = (await bench.stripe.disputes.list()).data
  expect(dispute).toMatchObject({ status: 'lost', amount: 1000 })
  expect((await bench.stripe.charges.retrieve(String(dispute?.charge))).customer).toBe(customer)
  const other = await subscriber('eva@example.test')
  await press(await other.page(), 'Refund')
  expect((await bench.stripe.charges.list({ customer: other.customer })).data[0]).toMatchObject({ refunded: true })
  expect(await status(subscription)).toBe('active')
})

test('S39 deliveries can be paused, resent, shuffled and doubled', async () => {
  const settings = () => visit(address('/sandbox/settings'))
  await press(await settings(), 'Save delivery settings', { paused: 'yes' })
  await subscriber()
  expect(receiver.received).toEqual([])
  await press(await settings(), 'Save delivery settings', { duplicate: 'yes', order: 'shuffled', paused: 'no' })
  const ids = (await bench.stripe.events.list({ limit: 100 })).data.map((event) => event.id)
  await waitFor(() => receiver.received.length === ids.length * 2)
  expect(new Set(receiver.received.map((each) => each.id))).toEqual(new Set(ids))
  expect(receiver.received.map((each) => each.id)).not.toEqual(ids.toReversed().flatMap((id) => [id, id]))
  await press(await settings(), 'Save delivery settings', { duplicate: 'no', order: 'in order', paused: 'no' })
  const event = await follow(await visit(address('/sandbox/events?type=invoice.paid')), 'invoice.paid')
  expect(words(event)).toContain('delivered (200')
  const before = receiver.received.length
  await press(event, 'Send twice')
  await waitFor(() => receiver.received.length === before + 2)
  expect(receiver.received.slice(-2).map((each) => each.type)).toEqual(['invoice.paid', 'invoice.paid'])
})

test('S45 the SDK reports simulated outages with its own error types', async () => {
  const settings = () => visit(address('/sandbox/settings'))
  const stripe = clientFor(bench.sandbox)
  const calls = async (outage: string) => {
    await press(await settings(), 'Save outage settings', { outage })
    return failure(stripe.customers.list())
  }
  expect(await calls('unavailable')).toBeInstanceOf(Stripe.errors.StripeAPIError)
  expect(await calls('rate limited')).toBeInstanceOf(Stripe.errors.StripeRateLimitError)
  expect(await calls('connection reset')).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await press(await settings(), 'Save outage settings', { outage: 'slow' })
  const impatient = clientFor(bench.sandbox, { timeout: 200 })
  expect(await failure(impatient.customers.list())).toBeInstanceOf(Stripe.errors.StripeConnectionError)
  await press(await settings(), 'Save outage settings', { outage: 'none' })
  expect((await stripe.customers.list()).object).toBe('list')
})

test('a reset keeps the catalog and deletes everything else', async () => {
  const { customer } = await subscriber()
  const settings = await visit(address('/sandbox/settings'))
  expect(words(await press(settings, 'Reset', { sure: 'no' }))).toContain('Nothing was changed.')
  await press(settings, 'Reset', { sure: 'yes' })
  expect((await failure(bench.stripe.customers.retrieve(customer))).statusCode).toBe(404)
  expect((await bench.stripe.events.list()).data).toEqual([])
  expect((await bench.stripe.prices.list()).data).toHaveLength(3)
})
