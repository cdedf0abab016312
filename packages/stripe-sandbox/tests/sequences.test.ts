import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { card, press, visit } from './browser.ts'
import { advanceDays, advanceTo, attachTestCard, type Bench, clockedCustomer, itemOf, openBench } from './support.ts'

/** Events have the order of the API's documentation, though applications must not rely on it. */
let bench: Bench
let mark: string | undefined
beforeEach(async () => {
  bench = await openBench()
  mark = undefined
})
afterEach(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake') || line.includes('failed'))).toEqual([])
})

/** Types of the events since the last call, oldest first. */
async function newEventTypes(): Promise<string[]> {
  const events: Stripe.Event[] = []
  for await (const event of bench.stripe.events.list({ limit: 100 })) {
    if (event.id === mark) break
    events.push(event)
  }
  mark = events[0]?.id ?? mark
  return events.map(({ type }) => type).reverse()
}

const jan1 = Date.UTC(2027, 0, 1) / 1000
const feb1 = Date.UTC(2027, 1, 1) / 1000

async function checkout(number: string, more: Stripe.Checkout.SessionCreateParams = {}) {
  const customer = await bench.stripe.customers.create({ email: 'ida@example.test' })
  const session = await bench.stripe.checkout.sessions.create({
    customer: customer.id,
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    mode: 'subscription',
    success_url: 'http://localhost:3000/',
    ...more,
  })
  await newEventTypes()
  await press(await visit(String(session.url)), 'Pay', card(number))
  return session
}

async function subscriber(more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const { customer, clock } = await clockedCustomer(bench, { at: jan1 })
  const items = [{ price: 'price_pro_monthly' }]
  const subscription = await bench.stripe.subscriptions.create({ customer: customer.id, items, ...more })
  await newEventTypes()
  return { clock: clock.id, customer: customer.id, item: itemOf(subscription).id, subscription: subscription.id }
}

const paid = [
  'payment_intent.created',
  'charge.succeeded',
  'payment_intent.succeeded',
  'invoice_payment.paid',
  'invoice.paid',
  'invoice.payment_succeeded',
]
const refused = ['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed']
const travel = (...types: string[]) => ['test_helpers.test_clock.advancing', ...types, 'test_helpers.test_clock.ready']

test('S19 a successful checkout', async () => {
  await checkout('4242424242424242')
  expect(await newEventTypes()).toEqual([
    'payment_method.attached',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    ...paid,
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
})

test('S22 a checkout with a trial, and the notice three days before its end', async () => {
  await checkout('4242424242424242', { subscription_data: { trial_period_days: 14 } })
  expect(await newEventTypes()).toEqual([
    'payment_method.attached',
    'setup_intent.succeeded',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
  const { clock } = await subscriber({ trial_period_days: 14 })
  await advanceDays(bench, clock, 11)
  expect(await newEventTypes()).toEqual(travel('customer.subscription.trial_will_end'))
  const { customer } = await clockedCustomer(bench, { at: jan1 })
  const items = [{ price: 'price_pro_monthly' }]
  await bench.stripe.subscriptions.create({ customer: customer.id, items, trial_period_days: 2 })
  expect((await newEventTypes()).at(-1)).toBe('customer.subscription.trial_will_end')
})

test('S20 a declined checkout, and one that is abandoned', async () => {
  const session = await checkout('4000000000000002')
  expect(await newEventTypes()).toEqual(refused)
  await bench.stripe.checkout.sessions.expire(session.id)
  expect(await newEventTypes()).toEqual(['checkout.session.expired'])
})

test('S27 a paid renewal', async () => {
  const { clock } = await subscriber()
  await advanceTo(bench, clock, feb1)
  expect(await newEventTypes()).toEqual(travel('invoice.created', 'customer.subscription.updated'))
  await advanceTo(bench, clock, feb1 + 3600)
  expect(await newEventTypes()).toEqual(travel('invoice.finalized', ...paid))
})

test('S28 a failed renewal that is recovered', async () => {
  const { clock, customer, subscription } = await subscriber()
  await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  await advanceTo(bench, clock, feb1)
  await newEventTypes()
  await advanceTo(bench, clock, feb1 + 3600)
  expect(await newEventTypes()).toEqual(
    travel(
      'invoice.finalized',
      ...refused,
      'invoice.payment_failed',
      'customer.subscription.updated',
      'customer.updated',
    ),
  )
  await attachTestCard(bench, customer, 'pm_card_visa')
  const { latest_invoice: invoice } = await bench.stripe.subscriptions.retrieve(subscription)
  await bench.stripe.invoices.pay(String(invoice))
  expect(await newEventTypes()).toEqual([
    'payment_method.attached',
    'customer.updated',
    ...paid.slice(1),
    'customer.subscription.updated',
    'customer.updated',
  ])
})

test('S29 a failed renewal that is never paid', async () => {
  const { clock, customer } = await subscriber()
  await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  await advanceDays(bench, clock, 45)
  await newEventTypes()
  await advanceDays(bench, clock, 3)
  expect(await newEventTypes()).toEqual(
    travel(
      ...refused.slice(1),
      'invoice.payment_failed',
      'invoice.updated',
      'customer.subscription.deleted',
      'customer.updated',
    ),
  )
})

test('S30 a cancellation that is scheduled, resumed, and reached', async () => {
  const { clock, subscription } = await subscriber()
  await bench.stripe.subscriptions.update(subscription, { cancel_at_period_end: true })
  await bench.stripe.subscriptions.update(subscription, { cancel_at_period_end: false })
  await bench.stripe.subscriptions.update(subscription, { cancel_at: 'min_period_end' })
  expect(await newEventTypes()).toEqual(Array(3).fill('customer.subscription.updated'))
  await advanceTo(bench, clock, feb1)
  expect(await newEventTypes()).toEqual(travel('customer.subscription.deleted'))
})

test('S31 an immediate cancellation', async () => {
  const { subscription } = await subscriber()
  await bench.stripe.subscriptions.cancel(subscription)
  expect(await newEventTypes()).toEqual(['customer.subscription.deleted'])
})

test('S32 monthly to yearly bills now; S33 within the same interval only on request', async () => {
  const { clock, item, subscription } = await subscriber()
  await advanceDays(bench, clock, 10)
  await newEventTypes()
  await bench.stripe.subscriptions.update(subscription, { items: [{ id: item, price: 'price_team_monthly' }] })
  expect(await newEventTypes()).toEqual(['customer.subscription.updated'])
  await bench.stripe.subscriptions.update(subscription, { items: [{ id: item, price: 'price_pro_yearly' }] })
  expect(await newEventTypes()).toEqual([
    'invoice.created',
    'invoice.finalized',
    'customer.subscription.updated',
    ...paid,
  ])
})

test('S37 a first payment that is never completed', async () => {
  const { customer, clock } = await clockedCustomer(bench, { at: jan1, card: 'pm_card_chargeCustomerFail' })
  await bench.stripe.subscriptions.create({ customer: customer.id, items: [{ price: 'price_pro_monthly' }] })
  await newEventTypes()
  await advanceDays(bench, clock.id, 1)
  expect(await newEventTypes()).toEqual(
    travel('payment_intent.canceled', 'invoice.voided', 'customer.subscription.updated'),
  )
})

test('S41 a deleted customer', async () => {
  const { customer } = await subscriber()
  await bench.stripe.customers.del(customer)
  expect(await newEventTypes()).toEqual(['customer.subscription.deleted', 'customer.deleted'])
})

test('a refund, and a lost dispute', async () => {
  const { customer } = await subscriber()
  await bench.stripe.refunds.create({
    amount: 300,
    charge: (await bench.stripe.charges.list({ customer })).data[0]?.id,
  })
  expect(await newEventTypes()).toEqual(['refund.created', 'charge.refunded'])
  const page = `http://localhost:${bench.sandbox.port}/sandbox/customers/${customer}`
  await press(await visit(page), 'Dispute')
  await press(await visit(page), 'Dispute lost')
  expect(await newEventTypes()).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ])
})
