import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  advanceDays,
  advanceTo,
  attachTestCard,
  type Bench,
  clockedCustomer,
  eventTypes,
  failure,
  itemOf,
  openBench,
  waitFor,
} from './support.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake') || line.includes('failed'))).toEqual([])
})

const jan31 = Date.UTC(2027, 0, 31, 12) / 1000
const noon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 12) / 1000

async function subscribe(
  price: string,
  options: Partial<Stripe.SubscriptionCreateParams> & { at?: number; card?: string } = {},
) {
  const { at, card, ...params } = options
  const { customer, clock } = await clockedCustomer(bench, { at: at ?? noon(2027, 1, 1), card })
  const subscription = await bench.stripe.subscriptions.create({ customer: customer.id, items: [{ price }], ...params })
  return { clock: clock.id, customer: customer.id, subscription }
}

const read = (id: string) => bench.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })

async function latest(id: string): Promise<Stripe.Invoice> {
  return (await read(id)).latest_invoice as Stripe.Invoice
}

test('a subscription with a saved card starts active with a paid invoice, and its events arrive in order', async () => {
  const { subscription, customer } = await subscribe('price_pro_monthly', { metadata: { user_id: 'u1' } })
  expect(subscription).toMatchObject({
    status: 'active',
    customer,
    metadata: { user_id: 'u1' },
    billing_mode: { type: 'flexible' },
  })
  const invoice = await bench.stripe.invoices.retrieve(String(subscription.latest_invoice), {
    expand: ['payments.data.payment.payment_intent'],
  })
  expect(invoice).toMatchObject({
    status: 'paid',
    amount_paid: 1000,
    amount_remaining: 0,
    billing_reason: 'subscription_create',
  })
  expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
  const payment = invoice.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent
  expect(payment).toMatchObject({ status: 'succeeded', amount: 1000 })
  expect(await eventTypes(bench, customer)).toEqual([
    'customer.created',
    'payment_method.attached',
    'customer.updated',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ])
})

test('S12 a declined payment replayed with its key stays declined, and error_if_incomplete leaves nothing behind', async () => {
  const { customer, clock } = await clockedCustomer(bench, { card: 'pm_card_chargeCustomerFail' })
  const create = () =>
    bench.stripe.subscriptions.create(
      { customer: customer.id, items: [{ price: 'price_pro_monthly' }], payment_behavior: 'error_if_incomplete' },
      { idempotencyKey: 's12-declined' },
    )
  for (let time = 0; time < 2; time += 1) {
    const error = await failure(create())
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline' })
  }
  expect((await bench.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
  expect(clock.status).toBe('ready')
  const none = await clockedCustomer(bench, { card: null })
  const without = await failure(
    bench.stripe.subscriptions.create({ customer: none.customer.id, items: [{ price: 'price_pro_monthly' }] }),
  )
  expect(without).toMatchObject({ statusCode: 400, code: 'resource_missing' })
})

test('S15 the deep path data.items.data.price.product expands', async () => {
  const { customer } = await subscribe('price_team_monthly')
  const list = await bench.stripe.subscriptions.list({
    customer,
    expand: ['data.items.data.price.product', 'data.customer', 'data.latest_invoice', 'data.test_clock'],
  })
  const [subscription] = list.data
  if (!subscription) throw new Error('nothing listed')
  expect(itemOf(subscription).price.product).toMatchObject({ name: 'Team Monthly' })
  expect(subscription.customer).toMatchObject({ object: 'customer' })
  expect(subscription.latest_invoice).toMatchObject({ object: 'invoice' })
  expect(subscription.test_clock).toMatchObject({ frozen_time: noon(2027, 1, 1) })
})

test('S27 a month later the period advances with a draft, which is paid an hour later', async () => {
  const { clock, subscription } = await subscribe('price_pro_monthly')
  await advanceTo(bench, clock, noon(2027, 2, 1))
  const moved = await read(subscription.id)
  expect(itemOf(moved)).toMatchObject({ current_period_start: noon(2027, 2, 1), current_period_end: noon(2027, 3, 1) })
  expect(moved.status).toBe('active')
  expect(moved.latest_invoice).toMatchObject({
    status: 'draft',
    billing_reason: 'subscription_cycle',
    amount_due: 1000,
  })
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3600)
  expect(await latest(subscription.id)).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_cycle',
    amount_paid: 1000,
  })
})

test('S28 a failed renewal is past due, and paying with another card makes the subscription active', async () => {
  const { clock, subscription, customer } = await subscribe('price_pro_monthly')
  await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3700)
  const failed = await read(subscription.id)
  expect(failed.status).toBe('past_due')
  const invoice = failed.latest_invoice as Stripe.Invoice
  expect(invoice).toMatchObject({
    status: 'open',
    attempt_count: 1,
    attempted: true,
    next_payment_attempt: noon(2027, 2, 4) + 3600,
  })
  const declined = await failure(bench.stripe.invoices.pay(invoice.id))
  expect(declined).toMatchObject({ statusCode: 402, code: 'card_declined' })
  await attachTestCard(bench, customer, 'pm_card_visa')
  const paid = await bench.stripe.invoices.pay(invoice.id)
  expect(paid.status).toBe('paid')
  expect((await read(subscription.id)).status).toBe('active')
  expect((await bench.stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ delinquent: false })
})

test('S29 the subscription is canceled for failed payment after the last retry', async () => {
  const { clock, subscription, customer } = await subscribe('price_pro_monthly')
  await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3700)
  await advanceDays(bench, clock, 14)
  expect((await read(subscription.id)).status).toBe('past_due')
  await advanceDays(bench, clock, 3)
  const given = await read(subscription.id)
  expect(given).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } })
  expect(given.ended_at).toBe(noon(2027, 2, 16) + 3600)
  expect(await eventTypes(bench, subscription.id)).toContain('customer.subscription.deleted')
  expect(await latest(subscription.id)).toMatchObject({ status: 'open', attempt_count: 4, auto_advance: false })
})

test('S30 the flag ends a subscription at the end of its period, and clearing it lets it continue', async () => {
  const { clock, subscription } = await subscribe('price_pro_monthly')
  const ending = await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(ending).toMatchObject({
    cancel_at_period_end: true,
    cancel_at: noon(2027, 2, 1),
    canceled_at: noon(2027, 1, 1),
    status: 'active',
  })
  const resumed = await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
  expect(resumed).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null },
  })
  await bench.stripe.subscriptions.update(subscription.id, { cancel_at: 'min_period_end' })
  const cleared = await bench.stripe.subscriptions.update(subscription.id, { cancel_at: '' })
  expect(cleared).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
  await bench.stripe.subscriptions.update(subscription.id, { cancel_at: noon(2027, 2, 1) })
  await advanceTo(bench, clock, noon(2027, 2, 2))
  expect(await read(subscription.id)).toMatchObject({
    status: 'canceled',
    ended_at: noon(2027, 2, 1),
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect((await bench.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
})

test('S31 an immediate cancellation takes effect at once, and a second one is 404', async () => {
  const { subscription, customer } = await subscribe('price_pro_monthly')
  const canceled = await bench.stripe.subscriptions.cancel(subscription.id, {
    cancellation_details: { feedback: 'unused', comment: 'Too busy' },
  })
  expect(canceled).toMatchObject({
    status: 'canceled',
    ended_at: noon(2027, 1, 1),
    cancellation_details: { feedback: 'unused', comment: 'Too busy' },
  })
  expect(await failure(bench.stripe.subscriptions.cancel(subscription.id))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  expect((await bench.stripe.subscriptions.list({ customer })).data).toEqual([])
  expect((await bench.stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
  expect((await bench.stripe.subscriptions.list({ customer, status: 'ended' })).data).toHaveLength(1)
  expect(
    (await failure(bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }))).statusCode,
  ).toBe(400)
})

/** Half of a January period: 15.5 of 31 days. */
const halfway = noon(2027, 1, 16) + 43_200

test('S32 monthly to yearly halfway costs 9400 now and starts a new year', async () => {
  const { clock, subscription } = await subscribe('price_pro_monthly')
  await advanceTo(bench, clock, halfway)
  const details = { items: [{ id: itemOf(subscription).id, price: 'price_pro_yearly' }] }
  const preview = await bench.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: details,
  })
  expect(preview).toMatchObject({ amount_due: 9400, status: 'draft', billing_reason: 'upcoming' })
  expect(await read(subscription.id)).toMatchObject({ billing_cycle_anchor: noon(2027, 1, 1) })
  const switched = await bench.stripe.subscriptions.update(subscription.id, details)
  expect(switched.billing_cycle_anchor).toBe(halfway)
  expect(itemOf(switched)).toMatchObject({
    id: itemOf(subscription).id,
    current_period_start: halfway,
    price: { id: 'price_pro_yearly' },
  })
  const invoice = await latest(subscription.id)
  expect(invoice).toMatchObject({ amount_due: 9400, status: 'paid', billing_reason: 'subscription_update' })
  expect(invoice.lines.data.map((line) => line.amount)).toEqual([-500, 9900])
  const events = await bench.stripe.events.list({ type: 'customer.subscription.updated', limit: 5 })
  const own = events.data.filter((event) => (event.data.object as Stripe.Subscription).id === subscription.id)
  expect(own[0]?.data.previous_attributes).toHaveProperty('items')
})

test('S33 Pro to Team halfway costs 500, now or with the next invoice', async () => {
  const now = await subscribe('price_pro_monthly')
  await advanceTo(bench, now.clock, halfway)
  await bench.stripe.subscriptions.update(now.subscription.id, {
    items: [{ id: itemOf(now.subscription).id, price: 'price_team_monthly' }],
    proration_behavior: 'always_invoice',
  })
  expect(await latest(now.subscription.id)).toMatchObject({ amount_due: 500, status: 'paid' })
  const later = await subscribe('price_pro_monthly')
  await advanceTo(bench, later.clock, halfway)
  const items = [{ id: itemOf(later.subscription).id, price: 'price_team_monthly' }]
  const preview = await bench.stripe.invoices.createPreview({
    subscription: later.subscription.id,
    subscription_details: { items },
  })
  expect(preview.amount_due).toBe(2500)
  await bench.stripe.subscriptions.update(later.subscription.id, { items })
  expect(await latest(later.subscription.id)).toMatchObject({ amount_due: 1000, billing_reason: 'subscription_create' })
  await advanceTo(bench, later.clock, noon(2027, 2, 1) + 3700)
  const invoice = await latest(later.subscription.id)
  expect(invoice).toMatchObject({ amount_due: 2500, status: 'paid' })
  expect(invoice.lines.data.map((line) => line.amount)).toEqual([-500, 1000, 2000])
  await bench.stripe.subscriptions.update(later.subscription.id, {
    items: [{ id: items[0]?.id, price: 'price_pro_monthly' }],
    proration_behavior: 'none',
  })
  await advanceTo(bench, later.clock, noon(2027, 3, 1) + 3700)
  expect(await latest(later.subscription.id)).toMatchObject({ amount_due: 1000 })
})

test('S34 yearly to monthly leaves a credit for later invoices', async () => {
  const start = noon(2027, 1, 1)
  const { clock, subscription, customer } = await subscribe('price_pro_yearly', { at: start })
  const half = start + (noon(2028, 1, 1) - start) / 2
  await advanceTo(bench, clock, half)
  await bench.stripe.subscriptions.update(subscription.id, {
    items: [{ id: itemOf(subscription).id, price: 'price_pro_monthly' }],
  })
  expect(await latest(subscription.id)).toMatchObject({
    total: -3950,
    amount_due: 0,
    status: 'paid',
    ending_balance: -3950,
  })
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ balance: -3950 })
  const [item] = (await read(subscription.id)).items.data
  await advanceTo(bench, clock, (item?.current_period_end ?? 0) + 3700)
  expect(await latest(subscription.id)).toMatchObject({
    total: 1000,
    amount_due: 0,
    starting_balance: -3950,
    ending_balance: -2950,
  })
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2950 })
  expect((await bench.stripe.customers.listBalanceTransactions(customer)).data).toMatchObject([
    { amount: 1000, type: 'applied_to_invoice', ending_balance: -2950 },
    { amount: -3950, type: 'applied_to_invoice', ending_balance: -3950 },
  ])
})

test('a credit reduces the next invoice, and a repeated request with the same key adds it once', async () => {
  const { clock, subscription, customer } = await subscribe('price_pro_monthly', { at: noon(2027, 1, 1) })
  const credit = { amount: -400, currency: 'usd', description: 'For the outage', metadata: { by: 'support' } }
  const add = () => bench.stripe.customers.createBalanceTransaction(customer, credit, { idempotencyKey: 'credit-1' })
  const [one, again] = [await add(), await add()]
  expect(one).toMatchObject({ ...credit, type: 'adjustment', ending_balance: -400, invoice: null })
  expect(again.id).toBe(one.id)
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3700)
  expect(await latest(subscription.id)).toMatchObject({ total: 1000, amount_due: 600, amount_paid: 600 })
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 })
  for (const wrong of [
    { amount: 0, currency: 'usd' },
    { amount: -1, currency: 'eur' },
    { amount: -999_999_999, currency: 'usd' },
  ]) {
    const error = await failure(bench.stripe.customers.createBalanceTransaction(customer, wrong))
    expect(error.statusCode).toBe(400)
  }
})

test('S35 a subscription that started on Jan 31 renews on Feb 28 and on Mar 31', async () => {
  const { clock, subscription } = await subscribe('price_pro_monthly', { at: jan31 })
  expect(itemOf(subscription).current_period_end).toBe(noon(2027, 2, 28))
  await advanceTo(bench, clock, noon(2027, 3, 1))
  expect(itemOf(await read(subscription.id)).current_period_end).toBe(noon(2027, 3, 31))
})

test('S36 a clock moves neither backward nor more than two intervals ahead', async () => {
  const { clock } = await subscribe('price_pro_monthly')
  for (const frozen_time of [noon(2027, 1, 1), noon(2026, 12, 1), noon(2027, 3, 2)]) {
    expect((await failure(bench.stripe.testHelpers.testClocks.advance(clock, { frozen_time }))).statusCode).toBe(400)
  }
  const advancing = await bench.stripe.testHelpers.testClocks.advance(clock, { frozen_time: noon(2027, 3, 1) })
  expect(advancing).toMatchObject({ frozen_time: noon(2027, 1, 1), status: 'advancing' })
  const ready = await waitFor(async () => {
    const now = await bench.stripe.testHelpers.testClocks.retrieve(clock)
    return now.status === 'ready' && now
  })
  expect(ready.frozen_time).toBe(noon(2027, 3, 1))
  const free = await bench.stripe.testHelpers.testClocks.create({ frozen_time: noon(2027, 1, 1) })
  const tooFar = bench.stripe.testHelpers.testClocks.advance(free.id, { frozen_time: noon(2029, 1, 2) })
  expect((await failure(tooFar)).statusCode).toBe(400)
  await advanceTo(bench, free.id, noon(2029, 1, 1))
})

test('S16 subscriptions are listed by status: running, all, or ended', async () => {
  const { customer, subscription } = await subscribe('price_pro_monthly')
  const other = await bench.stripe.subscriptions.create({ customer, items: [{ price: 'price_team_monthly' }] })
  await bench.stripe.subscriptions.cancel(subscription.id)
  const listed = async (params: Stripe.SubscriptionListParams) =>
    (await bench.stripe.subscriptions.list({ customer, ...params })).data.map((each) => each.id)
  expect(await listed({})).toEqual([other.id])
  expect(await listed({ status: 'active' })).toEqual([other.id])
  expect(await listed({ status: 'all' })).toEqual([other.id, subscription.id])
  expect(await listed({ status: 'ended' })).toEqual([subscription.id])
  expect(await listed({ created: { gte: noon(2027, 1, 1) }, status: 'all' })).toHaveLength(2)
  expect(await listed({ created: { gt: noon(2027, 1, 1) }, status: 'all' })).toEqual([])
})

test('S17 an empty string clears a subscription’s cancellation date and metadata', async () => {
  const { subscription } = await subscribe('price_pro_monthly', { metadata: { a: '1', b: '2' } })
  const ending = await bench.stripe.subscriptions.update(subscription.id, { cancel_at: noon(2027, 1, 20) })
  expect(ending).toMatchObject({ cancel_at: noon(2027, 1, 20), canceled_at: noon(2027, 1, 1) })
  const cleared = await bench.stripe.subscriptions.update(subscription.id, { cancel_at: '', metadata: { a: '' } })
  expect(cleared).toMatchObject({ cancel_at: null, canceled_at: null, metadata: { b: '2' } })
  expect((await bench.stripe.subscriptions.update(subscription.id, { metadata: '' })).metadata).toEqual({})
})

test('S37 a failed first payment can be completed within 23 hours', async () => {
  const expired = await subscribe('price_pro_monthly', { card: 'pm_card_chargeCustomerFail' })
  expect(expired.subscription.status).toBe('incomplete')
  await advanceTo(bench, expired.clock, noon(2027, 1, 2) - 3600)
  expect(await read(expired.subscription.id)).toMatchObject({ status: 'incomplete_expired' })
  expect(await latest(expired.subscription.id)).toMatchObject({ status: 'void' })
  const repaired = await subscribe('price_pro_monthly', { card: 'pm_card_chargeCustomerFail' })
  const card = await attachTestCard(bench, repaired.customer, 'pm_card_visa')
  await bench.stripe.invoices.pay(String(repaired.subscription.latest_invoice), { payment_method: card.id })
  expect((await read(repaired.subscription.id)).status).toBe('active')
})

test('S22 a trial costs nothing, sends an event before its end and is then billed', async () => {
  const { clock, subscription } = await subscribe('price_pro_monthly', { trial_period_days: 14 })
  expect(subscription).toMatchObject({
    status: 'trialing',
    trial_end: noon(2027, 1, 15),
    billing_cycle_anchor: noon(2027, 1, 15),
  })
  expect(await latest(subscription.id)).toMatchObject({ total: 0, status: 'paid' })
  await advanceTo(bench, clock, noon(2027, 1, 13))
  expect(await eventTypes(bench, subscription.id)).toContain('customer.subscription.trial_will_end')
  await advanceTo(bench, clock, noon(2027, 1, 15) + 3700)
  const running = await read(subscription.id)
  expect(running.status).toBe('active')
  expect(itemOf(running)).toMatchObject({
    current_period_start: noon(2027, 1, 15),
    current_period_end: noon(2027, 2, 15),
  })
  expect(running.latest_invoice).toMatchObject({ amount_paid: 1000, billing_reason: 'subscription_cycle' })
  const now = await subscribe('price_pro_monthly', { trial_period_days: 14 })
  const ended = await bench.stripe.subscriptions.update(now.subscription.id, { trial_end: 'now' })
  expect(ended).toMatchObject({ status: 'active', trial_end: noon(2027, 1, 1) })
  expect(await latest(now.subscription.id)).toMatchObject({ amount_paid: 1000 })
})

test('S23 a promotion code takes 20 % off once', async () => {
  const coupon = await bench.stripe.coupons.create({ percent_off: 20, duration: 'once' })
  const code = await bench.stripe.promotionCodes.create({
    promotion: { type: 'coupon', coupon: coupon.id },
    code: 'WELCOME20',
  })
  const { clock, subscription } = await subscribe('price_pro_monthly', { discounts: [{ promotion_code: code.id }] })
  const first = await bench.stripe.invoices.retrieve(String(subscription.latest_invoice), {
    expand: ['discounts.source.coupon'],
  })
  expect(first).toMatchObject({ subtotal: 1000, total: 800, amount_paid: 800 })
  expect(first.discounts[0]).toMatchObject({ source: { coupon: { id: coupon.id } } })
  await advanceTo(bench, clock, noon(2027, 2, 1) + 3700)
  expect(await latest(subscription.id)).toMatchObject({ total: 1000, amount_paid: 1000 })
  expect((await bench.stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
  expect((await bench.stripe.promotionCodes.list({ code: 'welcome20' })).data[0]?.times_redeemed).toBe(1)
  await bench.stripe.coupons.del(coupon.id)
})

test('a switch that can’t be paid is past due, refused or left pending, depending on the payment behavior', async () => {
  for (const behavior of ['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete'] as const) {
    const { clock, subscription, customer } = await subscribe('price_pro_monthly')
    await advanceTo(bench, clock, halfway)
    await attachTestCard(bench, customer, 'pm_card_chargeCustomerFail')
    const work = bench.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: 'price_team_monthly' }],
      payment_behavior: behavior,
      proration_behavior: 'always_invoice',
    })
    if (behavior === 'error_if_incomplete') {
      expect((await failure(work)).statusCode).toBe(402)
      expect(itemOf(await read(subscription.id)).price.id).toBe('price_pro_monthly')
      continue
    }
    const after = await work
    if (behavior === 'allow_incomplete') {
      expect(after.status).toBe('past_due')
      expect(itemOf(after).price.id).toBe('price_team_monthly')
      continue
    }
    expect(after).toMatchObject({
      status: 'active',
      pending_update: { subscription_items: [{ price: { id: 'price_team_monthly' } }] },
    })
    expect(itemOf(after).price.id).toBe('price_pro_monthly')
    await attachTestCard(bench, customer, 'pm_card_visa')
    await bench.stripe.invoices.pay(String(after.latest_invoice))
    const applied = await read(subscription.id)
    expect(applied.pending_update).toBeNull()
    expect(itemOf(applied).price.id).toBe('price_team_monthly')
    expect(await eventTypes(bench, subscription.id)).toContain('customer.subscription.pending_update_applied')
  }
})

test('subscriptions are found by the price of their items, and by the end of their period', async () => {
  const { subscription, customer } = await subscribe('price_pro_monthly')
  const { id } = itemOf(subscription)
  await bench.stripe.subscriptions.update(subscription.id, {
    items: [{ id, price: 'price_team_monthly' }],
    proration_behavior: 'none',
  })
  const byPrice = await bench.stripe.subscriptions.list({ customer, price: 'price_team_monthly' })
  expect(byPrice.data.map((each) => each.id)).toEqual([subscription.id])
  expect((await bench.stripe.subscriptions.list({ customer, price: 'price_pro_monthly' })).data).toEqual([])
  const soon = await bench.stripe.subscriptions.list({ customer, current_period_end: { lte: noon(2027, 2, 1) } })
  expect(soon.data).toHaveLength(1)
})

test('S41 deleting a customer cancels their subscriptions', async () => {
  const { subscription, customer } = await subscribe('price_pro_monthly')
  expect(await bench.stripe.customers.del(customer)).toMatchObject({ deleted: true })
  expect((await read(subscription.id)).status).toBe('canceled')
  expect(await bench.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true })
  const types = await eventTypes(bench, customer)
  expect(types.slice(-2)).toEqual(['customer.subscription.deleted', 'customer.deleted'])
})

test('a charge can be refunded in part or in full, but not beyond', async () => {
  const { subscription, customer } = await subscribe('price_pro_monthly')
  const charges = await bench.stripe.charges.list({ customer })
  const charge = charges.data[0]
  if (!charge) throw new Error('no charge')
  expect(await bench.stripe.refunds.create({ charge: charge.id, amount: 300 })).toMatchObject({
    status: 'succeeded',
    amount: 300,
  })
  const rest = await bench.stripe.refunds.create({ payment_intent: String(charge.payment_intent) })
  expect(rest.amount).toBe(700)
  expect(await bench.stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: true, amount_refunded: 1000 })
  expect((await failure(bench.stripe.refunds.create({ charge: charge.id }))).code).toBe('charge_already_refunded')
  expect((await read(subscription.id)).status).toBe('active')
})

test('an existing customer can be attached to a clock, and lists omit simulated objects', async () => {
  const customer = await bench.stripe.customers.create({ email: 'later@example.test' })
  await attachTestCard(bench, customer.id, 'pm_card_visa')
  const subscription = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: 'price_pro_monthly' }],
  })
  expect((await bench.stripe.subscriptions.list()).data.map((each) => each.id)).toContain(subscription.id)
  const clock = await bench.stripe.testHelpers.testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000) + 5,
    customer: customer.id,
  })
  expect(await read(subscription.id)).toMatchObject({ test_clock: clock.id })
  expect((await bench.stripe.subscriptions.list()).data.map((each) => each.id)).not.toContain(subscription.id)
  expect((await bench.stripe.subscriptions.list({ test_clock: clock.id })).data).toHaveLength(1)
  expect((await bench.stripe.customers.list({ email: 'later@example.test' })).data).toEqual([])
  await advanceDays(bench, clock.id, 33)
  expect((await bench.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2)
  await bench.stripe.testHelpers.testClocks.del(clock.id)
  expect(await bench.stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
})

test('S40 events are listed by types and time', async () => {
  await subscribe('price_pro_monthly')
  const paid = await bench.stripe.events.list({ types: ['invoice.paid', 'customer.subscription.created'], limit: 10 })
  expect(new Set(paid.data.map((event) => event.type))).toEqual(
    new Set(['invoice.paid', 'customer.subscription.created']),
  )
  const [first] = paid.data
  expect(await bench.stripe.events.retrieve(first?.id ?? '')).toMatchObject({ id: first?.id })
  const future = await bench.stripe.events.list({ created: { gte: noon(2040, 1, 1) } })
  expect(future.data).toEqual([])
  expect((await failure(bench.stripe.events.list({ type: 'no.such' }))).statusCode).toBe(400)
  for await (const event of bench.stripe.events.list({ limit: 100 })) expect(event.object).toBe('event')
})
