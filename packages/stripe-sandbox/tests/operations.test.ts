import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRoute } from '../http/route.ts'
import { routes } from '../routes/all-routes.ts'
import { card, press, visit } from './browser.ts'
import { advanceDays, type Bench, clockedCustomer, expectShape, itemOf, openBench, seed, waitFor } from './support.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

let bench: Bench
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  bench = await openBench({ seed: { ...seed, webhook: { secret: 'whsec_operations', url: receiver.url } } })
})
afterAll(async () => {
  await bench.close()
  await receiver.close()
})

/** The first object of a list. Fails if the list is empty. */
function first<T>({ data }: { data: T[] }): T {
  const [found] = data
  if (found === undefined) throw new Error('an empty list')
  return found
}

async function catalogue(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Extra', description: 'More', metadata: { app: 'x' } })
  await stripe.products.update(product.id, { active: false })
  await stripe.products.retrieve(product.id)
  first(await stripe.products.list({ active: false, ids: [product.id] }))
  const price = await stripe.prices.create({
    currency: 'usd',
    lookup_key: 'extra',
    nickname: 'Extra',
    product_data: { name: 'Inline' },
    recurring: { interval: 'month', interval_count: 3 },
    unit_amount: 2500,
  })
  await stripe.prices.update(price.id, { active: false, lookup_key: 'other', metadata: { a: '1' } })
  await stripe.prices.retrieve(price.id, { expand: ['product'] })
  first(await stripe.prices.list({ active: false, type: 'recurring' }))
  await stripe.taxRates.retrieve('txr_sandbox')
  expect(await stripe.tax.settings.retrieve()).toMatchObject({ status: 'active' })
  const coupon = await stripe.coupons.create({ amount_off: 300, currency: 'usd', duration: 'forever', id: 'THREE' })
  await stripe.coupons.retrieve(coupon.id)
  first(await stripe.coupons.list())
  const code = await stripe.promotionCodes.create({ code: 'SAVE', promotion: { coupon: coupon.id, type: 'coupon' } })
  await stripe.promotionCodes.update(code.id, { active: false })
  await stripe.promotionCodes.retrieve(code.id, { expand: ['promotion.coupon'] })
  first(await stripe.promotionCodes.list({ code: 'save' }))
  expect(await stripe.coupons.del(coupon.id)).toMatchObject({ deleted: true })
}

async function people(stripe: Stripe) {
  const customer = await stripe.customers.create({
    email: 'ida@example.test',
    metadata: { user_id: 'u1' },
    name: 'Ida',
  })
  await stripe.customers.update(customer.id, { metadata: { user_id: 'u2' } })
  await stripe.customers.createBalanceTransaction(customer.id, { amount: -500, currency: 'usd', description: 'Sorry' })
  first(await stripe.customers.listBalanceTransactions(customer.id, { expand: ['data.customer'] }))
  const { id: taxId } = await stripe.customers.createTaxId(customer.id, { type: 'us_ein', value: '12-3456789' })
  first(await stripe.customers.listTaxIds(customer.id, { expand: ['data.customer'] }))
  expect(await stripe.customers.deleteTaxId(customer.id, taxId)).toMatchObject({ deleted: true })
  await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.customers.retrieve(customer.id, { expand: ['invoice_settings.default_payment_method'] })
  first(await stripe.customers.list({ email: 'ida@example.test' }))
  first(await stripe.customers.search({ query: "metadata['user_id']:'u2'" }))
  first(await stripe.customers.listPaymentMethods(customer.id))
  expect(await stripe.customers.del(customer.id)).toMatchObject({ deleted: true })
}

async function checkouts(stripe: Stripe) {
  const customer = await stripe.customers.create({ email: 'eva@example.test' })
  const open = (more: Stripe.Checkout.SessionCreateParams = {}) =>
    stripe.checkout.sessions.create({
      customer: customer.id,
      line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
      mode: 'subscription',
      success_url: 'http://localhost:3000/?id={CHECKOUT_SESSION_ID}',
      ...more,
    })
  const trial = await open({ subscription_data: { trial_period_days: 7 } })
  await press(await visit(String(trial.url)), 'Pay', card('4242424242424242'))
  await stripe.checkout.sessions.retrieve(trial.id, { expand: ['setup_intent', 'line_items'] })
  first(await stripe.checkout.sessions.listLineItems(trial.id))
  const other = await open()
  await press(await visit(String(other.url)), 'Pay', card('4000000000000002'))
  expect(await stripe.checkout.sessions.expire(other.id)).toMatchObject({ status: 'expired' })
  first(await stripe.checkout.sessions.list({ customer: customer.id, status: 'expired' }))
}

async function subscriptions(stripe: Stripe) {
  const { customer, clock } = await clockedCustomer(bench, { at: Date.UTC(2027, 0, 1) / 1000 })
  const items = [{ price: 'price_pro_monthly' }]
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items })
  const { id } = itemOf(subscription)
  await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice', 'customer', 'test_clock'] })
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
  first(await stripe.subscriptions.list({ customer: customer.id, status: 'all' }))
  await stripe.subscriptions.update(subscription.id, { items: [{ id, price: 'price_team_monthly' }] })
  await stripe.invoices.createPreview({ subscription: subscription.id })
  await stripe.subscriptions.pause(subscription.id)
  await stripe.subscriptions.resume(subscription.id)
  const sent = await stripe.subscriptions.create({
    ...{ customer: customer.id, items, collection_method: 'send_invoice', days_until_due: 30 },
  })
  await stripe.invoices.sendInvoice(String(sent.latest_invoice))
  await stripe.subscriptions.cancel(sent.id)
  await advanceDays(bench, clock.id, 31)
  await money(stripe, customer.id)
  await stripe.subscriptions.cancel(subscription.id)
  await portals(stripe, customer.id)
  expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ deleted: true })
}

async function money(stripe: Stripe, customer: string) {
  const draft = first(await stripe.invoices.list({ customer, status: 'draft' }))
  await stripe.invoices.finalizeInvoice(draft.id)
  await stripe.invoices.pay(draft.id)
  await stripe.invoices.retrieve(draft.id, { expand: ['payments'] })
  const payment = first(await stripe.invoicePayments.list({ invoice: draft.id }))
  await stripe.invoicePayments.retrieve(payment.id)
  const intent = first(await stripe.paymentIntents.list({ customer }))
  await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  const [refunded, disputed] = (await stripe.charges.list({ customer })).data
  const refund = await stripe.refunds.create({ amount: 100, charge: refunded?.id })
  await stripe.refunds.retrieve(refund.id)
  first(await stripe.refunds.list({ charge: refunded?.id }))
  await stripe.charges.retrieve(String(refunded?.id))
  const control = await visit(`http://localhost:${bench.sandbox.port}/sandbox/customers/${customer}`)
  await press(control, 'Dispute', { dispute: String(disputed?.id) })
  const dispute = first(await stripe.disputes.list())
  await stripe.disputes.retrieve(dispute.id)
  const doubter = await clockedCustomer(bench, { card: 'pm_card_createDispute' })
  await stripe.subscriptions.create({ customer: doubter.customer.id, items: [{ price: 'price_pro_monthly' }] })
  const lost = first(await stripe.disputes.list({ limit: 1 }))
  expect(await stripe.disputes.close(lost.id)).toMatchObject({ id: lost.id, status: 'lost' })
  await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'A receipt' } })
  await press(await visit(control.url), 'Dispute won')
  expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({ status: 'won' })
  const asker = await clockedCustomer(bench, { card: 'pm_card_createDisputeInquiry' })
  await stripe.subscriptions.create({ customer: asker.customer.id, items: [{ price: 'price_pro_monthly' }] })
  const inquiry = first(await stripe.disputes.list({ limit: 1 }))
  const evidence = { uncategorized_text: 'winning_evidence' }
  expect(await stripe.disputes.update(inquiry.id, { evidence })).toMatchObject({ status: 'warning_closed' })
  for (const fate of ['void', 'uncollectible'] as const) {
    const broke = await clockedCustomer(bench, { card: 'pm_card_chargeCustomerFail' })
    const items = [{ price: 'price_pro_monthly' }]
    const { latest_invoice: open } = await stripe.subscriptions.create({ customer: broke.customer.id, items })
    if (fate === 'void') await stripe.invoices.voidInvoice(String(open))
    else await stripe.invoices.markUncollectible(String(open))
  }
}

async function portals(stripe: Stripe, customer: string) {
  const features = { invoice_history: { enabled: true } }
  const { id } = await stripe.billingPortal.configurations.create({ features })
  await stripe.billingPortal.configurations.update(id, { default_return_url: 'http://localhost:3000/' })
  await stripe.billingPortal.configurations.retrieve(id)
  first(await stripe.billingPortal.configurations.list())
  await stripe.billingPortal.sessions.create({ configuration: id, customer })
}

async function webhooks(stripe: Stripe) {
  const { id } = await stripe.webhookEndpoints.create({ enabled_events: ['*'], url: 'http://127.0.0.1:9/' })
  await stripe.webhookEndpoints.update(id, { disabled: true })
  first(await stripe.webhookEndpoints.list())
  expect(await stripe.webhookEndpoints.del(id)).toMatchObject({ deleted: true })
  await stripe.events.retrieve(first(await stripe.events.list()).id)
}

test('S2 every operation returns, lists and sends objects that match the API description', async () => {
  for (const part of [catalogue, people, checkouts, subscriptions, webhooks]) await part(bench.stripe)

  const told = new Set<string>()
  for await (const event of bench.stripe.events.list({ limit: 100 })) told.add(event.id)
  await waitFor(() => receiver.received.length === told.size)
  expect(new Set(receiver.received.map((each) => each.id))).toEqual(told)
  for (const { event } of receiver.received) expectShape('event', event)

  const called = new Set(
    bench.answered.map(({ call }) => {
      const [method = '', path = ''] = call.split(' ')
      return findRoute(routes, method, path)?.route
    }),
  )
  const missed = routes.filter((route) => !called.has(route)).map(({ method, path }) => `${method} ${path}`)
  expect(missed).toEqual([])
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})
