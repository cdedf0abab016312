import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { card, press, visit, words } from './browser.ts'
import { type Bench, eventTypes, failure, openBench } from './support.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const success = 'http://localhost:3000/gift?session_id={CHECKOUT_SESSION_ID}'
const price_data = { currency: 'usd', product: 'prod_pro_yearly', unit_amount: 9900 }

const open = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  bench.stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    success_url: success,
    customer_email: 'giver@example.test',
    metadata: { gift_id: 'gift-1' },
    payment_intent_data: { metadata: { gift_id: 'gift-1' }, description: 'A year as a gift' },
    ...params,
  })
const read = (id: string) =>
  bench.stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge', 'line_items'] })

test('a guest pays once: a payment with a charge, without a customer or a subscription', async () => {
  const session = await open()
  expect(session).toMatchObject({
    mode: 'payment',
    status: 'open',
    customer: null,
    customer_creation: 'if_required',
    payment_method_collection: 'if_required',
    payment_intent: null,
    amount_total: 9900,
  })
  const page = await visit(String(session.url))
  expect(words(page)).toContain('$99.00')
  expect(words(page)).not.toMatch(/per month|Renews/)
  const paid = await press(page, 'Pay', card('4242 4242 4242 4242'))
  expect(paid.location).toBe(success.replace('{CHECKOUT_SESSION_ID}', session.id))
  const complete = await read(session.id)
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer: null,
    subscription: null,
    invoice: null,
    customer_details: { email: 'giver@example.test', name: 'Ida Test' },
    payment_intent: {
      status: 'succeeded',
      amount_received: 9900,
      customer: null,
      metadata: { gift_id: 'gift-1' },
      description: 'A year as a gift',
      setup_future_usage: null,
      latest_charge: { amount: 9900, paid: true, customer: null, metadata: { gift_id: 'gift-1' } },
    },
  })
  expect(complete.line_items?.data[0]).toMatchObject({ price: { type: 'one_time', active: false, unit_amount: 9900 } })
  const intent = (complete.payment_intent as Stripe.PaymentIntent).id
  const found = await bench.stripe.checkout.sessions.list({ payment_intent: intent })
  expect(found.data.map(({ id }) => id)).toEqual([session.id])
  expect(await eventTypes(bench, 'gift-1')).toEqual(
    expect.arrayContaining(['payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed']),
  )
})

test('a refund of it names the payment, and a second one is refused', async () => {
  const session = await open()
  await press(await visit(String(session.url)), 'Pay', card('4242 4242 4242 4242'))
  const intent = (await bench.stripe.checkout.sessions.retrieve(session.id)).payment_intent as string
  await bench.stripe.refunds.create({ payment_intent: intent, amount: 900 })
  await bench.stripe.refunds.create({ payment_intent: intent })
  const { data } = await bench.stripe.charges.list({ payment_intent: intent })
  expect(data).toMatchObject([{ amount: 9900, amount_refunded: 9900, refunded: true }])
  expect(await failure(bench.stripe.refunds.create({ payment_intent: intent }))).toMatchObject({
    code: 'charge_already_refunded',
  })
})

test('a declined card leaves the session open, and the next card pays the same payment', async () => {
  const session = await open()
  const declined = await press(await visit(String(session.url)), 'Pay', card('4000 0000 0000 0002'))
  expect(words(declined)).toContain('declined')
  const between = await read(session.id)
  expect(between).toMatchObject({ status: 'open', payment_intent: { status: 'requires_payment_method' } })
  await press(declined, 'Pay', card('4242 4242 4242 4242'))
  const complete = await read(session.id)
  expect(complete).toMatchObject({ status: 'complete', payment_intent: { status: 'succeeded' } })
  const idOf = ({ payment_intent }: Stripe.Checkout.Session) => (payment_intent as Stripe.PaymentIntent).id
  expect(idOf(complete)).toBe(idOf(between))
})

test('a customer is used, or created on request, and the card isn’t kept', async () => {
  const known = await bench.stripe.customers.create({ email: 'ida@example.test' })
  const session = await open({ customer: known.id, customer_email: undefined })
  await press(await visit(String(session.url)), 'Pay', card('4242 4242 4242 4242'))
  expect(await read(session.id)).toMatchObject({ customer: known.id, payment_intent: { customer: known.id } })
  expect((await bench.stripe.customers.listPaymentMethods(known.id)).data).toEqual([])
  const created = await open({ customer_creation: 'always' })
  await press(await visit(String(created.url)), 'Pay', card('4242 4242 4242 4242'))
  const { customer } = await bench.stripe.checkout.sessions.retrieve(created.id)
  expect(await bench.stripe.customers.retrieve(String(customer))).toMatchObject({ email: 'giver@example.test' })
})

test('parameters and prices of the other mode are refused', async () => {
  const refused = async (params: Partial<Stripe.Checkout.SessionCreateParams>) => (await failure(open(params))).message
  expect(await refused({ line_items: [{ price: 'price_pro_yearly', quantity: 1 }] })).toContain('recurring price')
  expect(await refused({ subscription_data: { metadata: { a: 'b' } } })).toContain('subscription_data')
  expect(await refused({ payment_method_collection: 'always' })).toContain('payment_method_collection')
  expect(await refused({ line_items: [{ price: 'price_pro_yearly', price_data, quantity: 1 }] })).toContain(
    'only specify one',
  )
  expect(await refused({ mode: 'setup' })).toContain('mode=setup')
  const subscription: Partial<Stripe.Checkout.SessionCreateParams> = {
    mode: 'subscription',
    line_items: [{ price: 'price_pro_yearly', quantity: 1 }],
  }
  expect(await refused(subscription)).toContain('payment_intent_data')
  expect(await refused({ ...subscription, payment_intent_data: undefined, customer_creation: 'always' })).toContain(
    'customer_creation',
  )
})
