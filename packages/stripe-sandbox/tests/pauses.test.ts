import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  advanceTo,
  attachTestCard,
  type Bench,
  clockedCustomer,
  eventTypes,
  failure,
  itemOf,
  openBench,
} from './support.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
})

const noon = (month: number, day: number) => Date.UTC(2027, month - 1, day, 12) / 1000

async function subscribe() {
  const { customer, clock } = await clockedCustomer(bench, { at: noon(1, 1) })
  const { id } = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro_monthly' }],
  })
  return { id, clock: clock.id, customer: customer.id }
}

const read = (id: string) => bench.stripe.subscriptions.retrieve(id)
const pause = (id: string, resumesAt?: number) =>
  bench.stripe.subscriptions.update(id, {
    pause_collection: { behavior: 'void', ...(resumesAt && { resumes_at: resumesAt }) },
  })
const invoices = async (subscription: string): Promise<Stripe.Invoice[]> =>
  (await bench.stripe.invoices.list({ subscription, limit: 100 })).data.toReversed()
const statuses = async (id: string) => (await invoices(id)).map(({ status }) => status)

test('a pause voids the renewals until its end, and the next one is charged', async () => {
  const { id, clock } = await subscribe()
  expect(await pause(id, noon(4, 1) - 3600)).toMatchObject({
    status: 'active',
    pause_collection: { behavior: 'void', resumes_at: noon(4, 1) - 3600 },
  })
  await advanceTo(bench, clock, noon(2, 2))
  expect(await statuses(id)).toEqual(['paid', 'void'])
  await advanceTo(bench, clock, noon(3, 2))
  const during = await read(id)
  expect(during.status).toBe('active')
  expect(itemOf(during).current_period_end).toBe(noon(4, 1))
  expect(await statuses(id)).toEqual(['paid', 'void', 'void'])
  await advanceTo(bench, clock, noon(4, 1) - 1800)
  expect((await read(id)).pause_collection).toBeNull()
  await advanceTo(bench, clock, noon(4, 1) + 3700)
  expect(await statuses(id)).toEqual(['paid', 'void', 'void', 'paid'])
  expect((await invoices(id)).at(-1)?.amount_paid).toBe(1000)
  expect(await eventTypes(bench, id)).toContain('invoice.voided')
})

test('a voided renewal keeps the customer’s credit', async () => {
  const { id, clock, customer } = await subscribe()
  await bench.stripe.customers.createBalanceTransaction(customer, { amount: -300, currency: 'usd' })
  await pause(id)
  await advanceTo(bench, clock, noon(2, 2))
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ balance: -300 })
})

test('an ended pause with a new billing date charges a whole period now', async () => {
  const { id, clock } = await subscribe()
  await pause(id)
  await advanceTo(bench, clock, noon(2, 10))
  const resumed = await bench.stripe.subscriptions.update(id, {
    pause_collection: '',
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'none',
    payment_behavior: 'error_if_incomplete',
  })
  expect(resumed).toMatchObject({ pause_collection: null, billing_cycle_anchor: noon(2, 10) })
  expect(itemOf(resumed).current_period_end).toBe(noon(3, 10))
  const paid = (await invoices(id)).at(-1)
  expect(paid).toMatchObject({ status: 'paid', amount_paid: 1000, billing_reason: 'subscription_update' })
})

test('a declined card leaves the pause as it was', async () => {
  const { id, clock, customer } = await subscribe()
  await pause(id)
  await advanceTo(bench, clock, noon(2, 10))
  await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  const declined = await failure(
    bench.stripe.subscriptions.update(id, {
      pause_collection: '',
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
      payment_behavior: 'error_if_incomplete',
    }),
  )
  expect(declined.statusCode).toBe(402)
  expect((await read(id)).pause_collection).toEqual({ behavior: 'void', resumes_at: null })
  expect(await statuses(id)).toEqual(['paid', 'void'])
})

test('a plan switched during a pause isn’t billed, and its unpaid time isn’t credited', async () => {
  const { id, clock, customer } = await subscribe()
  await pause(id)
  await advanceTo(bench, clock, noon(2, 10))
  const item = itemOf(await read(id)).id
  const items = [{ id: item, price: 'price_team_monthly' }]
  await bench.stripe.subscriptions.update(id, { items, proration_behavior: 'always_invoice' })
  expect(await statuses(id)).toEqual(['paid', 'void', 'void'])
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 })
})

test('a pause can be changed and ended before it begins', async () => {
  const { id, clock } = await subscribe()
  await pause(id, noon(2, 20))
  await pause(id, noon(3, 20))
  expect((await read(id)).pause_collection?.resumes_at).toBe(noon(3, 20))
  await bench.stripe.subscriptions.update(id, { pause_collection: '' })
  await advanceTo(bench, clock, noon(2, 2))
  expect(await statuses(id)).toEqual(['paid', 'paid'])
})

test('a pause in the past, without a behavior or with one that isn’t supported is refused', async () => {
  const { id } = await subscribe()
  const error = await failure(pause(id, noon(1, 1)))
  expect(error).toMatchObject({ statusCode: 400, param: 'pause_collection[resumes_at]' })
  const drafts = bench.stripe.subscriptions.update(id, { pause_collection: { behavior: 'keep_as_draft' } })
  expect((await failure(drafts)).message).toContain('does not support')
  const { status } = await bench.call('POST', `/v1/subscriptions/${id}`, `pause_collection[resumes_at]=${noon(9, 1)}`)
  expect(status).toBe(400)
})

test('a canceled subscription can’t be paused', async () => {
  const { id } = await subscribe()
  await bench.stripe.subscriptions.cancel(id)
  expect((await failure(pause(id))).statusCode).toBe(400)
})

test('a subscription that is paused itself has no invoices, and resuming bills a new period less the unused time', async () => {
  const { id, clock } = await subscribe()
  await advanceTo(bench, clock, noon(1, 1) + (noon(2, 1) - noon(1, 1)) / 2)
  expect(await bench.stripe.subscriptions.pause(id)).toMatchObject({
    status: 'paused',
    status_details: { paused: { subscription: { type: 'pause_requested' } } },
  })
  expect(await failure(bench.stripe.subscriptions.pause(id))).toMatchObject({ statusCode: 400 })
  await advanceTo(bench, clock, noon(3, 1))
  expect(await statuses(id)).toEqual(['paid'])
  const resumed = await bench.stripe.subscriptions.resume(id, { payment_behavior: 'resume_on_payment_success' })
  expect(resumed).toMatchObject({ status: 'active', billing_cycle_anchor: noon(3, 1) })
  expect(resumed).not.toHaveProperty('status_details')
  expect(itemOf(resumed).current_period_end).toBe(noon(4, 1))
  expect((await invoices(id)).map(({ amount_paid }) => amount_paid)).toEqual([1000, 500])
  expect(await failure(bench.stripe.subscriptions.resume(id))).toMatchObject({ statusCode: 400 })
  expect(await eventTypes(bench, id)).toEqual(
    expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
  )
})

test('a declined card leaves it paused if resuming needs a payment, and past due otherwise', async () => {
  const { id, customer } = await subscribe()
  await bench.stripe.subscriptions.pause(id, { bill_for: { unused_time_from: { type: 'none' } } })
  const card = await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  await bench.stripe.subscriptions.update(id, { default_payment_method: card.id })
  const wish = { payment_behavior: 'resume_on_payment_success' }
  expect(await failure(bench.stripe.subscriptions.resume(id, wish))).toMatchObject({ statusCode: 402 })
  expect(await read(id)).toMatchObject({ status: 'paused' })
  expect(await bench.stripe.subscriptions.resume(id)).toMatchObject({ status: 'past_due' })
})

test('what it cannot do when pausing and resuming is refused by name', async () => {
  const { id } = await subscribe()
  const { subscriptions } = bench.stripe
  expect((await failure(subscriptions.pause(id, { invoicing_behavior: 'invoice' }))).message).toContain(
    'invoicing_behavior',
  )
  const configuration = { features: { subscription_pause: { enabled: true } } }
  expect((await failure(bench.stripe.billingPortal.configurations.create(configuration))).message).toContain('pause')
})
