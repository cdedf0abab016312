import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { card, press, visit, words } from './browser.ts'
import { advanceDays, attachTestCard, type Bench, eventTypes, failure, openBench, waitFor } from './support.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake'))).toEqual([])
})

const success = 'http://localhost:3000/billing/return?session_id={CHECKOUT_SESSION_ID}'

async function checkout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const customer = await bench.stripe.customers.create({ email: 'ida@example.test', metadata: { user_id: 'u1' } })
  const session = await bench.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    success_url: success,
    cancel_url: 'http://localhost:3000/#pricing',
    ...params,
  })
  return { customer: customer.id, session, url: String(session.url) }
}

const read = (id: string) =>
  bench.stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice', 'line_items'] })
const subscriptions = async (customer: string) =>
  (await bench.stripe.subscriptions.list({ customer, status: 'all' })).data

test('S19 a checkout with …4242 creates an active subscription and returns with the session id', async () => {
  const { session, url, customer } = await checkout({
    client_reference_id: 'user-1',
    metadata: { origin: 'pricing' },
    subscription_data: { metadata: { user_id: 'user-1' } },
  })
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    amount_total: 1000,
    ui_mode: 'hosted_page',
  })
  const page = await visit(url)
  expect(words(page)).toContain('STRIPE SANDBOX – no real payments')
  expect(words(page)).toContain('$10.00')
  expect(page.text).toMatch(/<title>SANDBOX · /)
  const paid = await press(page, 'Pay', card('4242 4242 4242 4242'))
  expect(paid.location).toBe(success.replace('{CHECKOUT_SESSION_ID}', session.id))
  const complete = await read(session.id)
  expect(complete).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    client_reference_id: 'user-1',
    metadata: { origin: 'pricing' },
  })
  expect(complete.subscription).toMatchObject({ status: 'active', metadata: { user_id: 'user-1' }, customer })
  expect(complete.invoice).toMatchObject({ status: 'paid', amount_paid: 1000 })
  expect(complete.line_items?.data[0]).toMatchObject({ amount_total: 1000, price: { id: 'price_pro_monthly' } })
  expect((await bench.stripe.checkout.sessions.listLineItems(session.id)).data).toHaveLength(1)
  const cards = await bench.stripe.customers.listPaymentMethods(customer)
  expect(cards.data[0]?.card).toMatchObject({ last4: '4242', exp_month: 12, exp_year: 2044 })
  const types = await eventTypes(bench, customer)
  expect(types.slice(-3)).toEqual([
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
  expect(types).toContain('payment_method.attached')
})

test('the page says what the buyer gets, what it costs and when it renews', async () => {
  const page = await visit((await checkout()).url)
  expect(words(page)).toContain('One letter a week <and> the archive.')
  const renewal = /Renews on ([A-Z][a-z]{2} \d{1,2}, \d{4}) for \$10\.00, then every month until you cancel\./.exec(
    words(page),
  )
  const days = (Date.parse(`${renewal?.[1]} UTC`) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(26)
  expect(days).toBeLessThan(32)
  const trial = words(await visit((await checkout({ subscription_data: { trial_period_days: 14 } })).url))
  expect(trial).toContain('Free for 14 days, then $10.00 per month, until you cancel.')
  expect(trial).not.toContain('Renews on')
  const yearly = words(await visit((await checkout({ line_items: [{ price: 'price_pro_yearly', quantity: 1 }] })).url))
  expect(yearly).toMatch(/for \$99\.00, then every year until you cancel/)
})

test('S20 a declined card leaves the session open, and another card completes it', async () => {
  const { session, url, customer } = await checkout()
  for (const [number, text] of [
    ['4000000000000002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'insufficient funds'],
    ['4000 0000 0000 0069', 'expired'],
    ['4000 0000 0000 0127', 'security code is incorrect'],
    ['4000 0000 0000 0341', 'Your card was declined.'],
  ] as const) {
    const page = await press(await visit(url), 'Pay', card(number))
    expect(words(page)).toContain(text)
    expect(page.text).toContain('role="alert"')
  }
  expect((await read(session.id)).status).toBe('open')
  expect(await subscriptions(customer)).toEqual([])
  expect(await eventTypes(bench, customer)).toEqual(
    expect.arrayContaining(['charge.failed', 'payment_intent.payment_failed']),
  )
  await press(await visit(url), 'Pay', card('4242424242424242'))
  expect((await read(session.id)).status).toBe('complete')
  expect((await subscriptions(customer)).map((each) => each.status)).toEqual(['active'])
})

test('S21 …3155 requires authentication, which succeeds or fails', async () => {
  const { session, url, customer } = await checkout()
  const asked = await press(await visit(url), 'Pay', card('4000002500003155'))
  expect(words(asked)).toContain('Authenticate payment')
  const failed = await press(asked, 'Fail')
  expect(words(failed)).toContain('unable to authenticate')
  expect((await read(session.id)).status).toBe('open')
  const again = await press(failed, 'Pay', card('4000002500003155'))
  const done = await press(again, 'Complete')
  expect(done.location).toContain(session.id)
  const [subscription] = await subscriptions(customer)
  expect(subscription?.status).toBe('active')
  const clock = await bench.stripe.testHelpers.testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000) + 5,
    customer,
  })
  await advanceDays(bench, clock.id, 32)
  expect((await subscriptions(customer))[0]?.status).toBe('active')
  expect((await bench.stripe.invoices.list({ customer, status: 'paid' })).data).toHaveLength(2)
})

test('…3184 requires authentication for every payment, so its renewal is past due', async () => {
  const { url, customer } = await checkout()
  await press(await press(await visit(url), 'Pay', card('4000002760003184')), 'Complete')
  const clock = await bench.stripe.testHelpers.testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000) + 5,
    customer,
  })
  await advanceDays(bench, clock.id, 32)
  expect((await subscriptions(customer))[0]?.status).toBe('past_due')
  const types = await eventTypes(bench, customer)
  expect(types).toEqual(expect.arrayContaining(['invoice.payment_failed', 'invoice.payment_action_required']))
  const [open] = (await bench.stripe.invoices.list({ customer, status: 'open' })).data
  const hosted = await visit(String(open?.hosted_invoice_url))
  expect(words(hosted)).toContain('Open: not paid yet')
  const paid = await press(await press(hosted, 'Pay', card('4000002760003184')), 'Complete')
  expect(words(paid)).toContain('Paid')
  expect((await subscriptions(customer))[0]?.status).toBe('active')
})

test('S22 a trial requires no payment today, and …0341 is saved for the day it ends', async () => {
  const { session, url, customer } = await checkout({ subscription_data: { trial_period_days: 14 } })
  expect(session.amount_total).toBe(0)
  await press(await visit(url), 'Pay', card('4000000000000341'))
  const complete = await read(session.id)
  expect(complete).toMatchObject({ status: 'complete', payment_status: 'no_payment_required', amount_total: 0 })
  expect(complete.subscription).toMatchObject({ status: 'trialing' })
  expect(complete.invoice).toMatchObject({ total: 0, status: 'paid' })
  const types = await eventTypes(bench, customer)
  expect(types).toEqual(
    expect.arrayContaining(['setup_intent.succeeded', 'customer.subscription.created', 'checkout.session.completed']),
  )
})

test('a one-time price beside a trial is charged with the first invoice, and never again', async () => {
  const trial = await bench.stripe.prices.create({ currency: 'usd', unit_amount: 100, product_data: { name: 'Trial' } })
  const lines = [
    { price: 'price_pro_monthly', quantity: 1 },
    { price: trial.id, quantity: 1 },
  ]
  const { session, url, customer } = await checkout({
    line_items: lines,
    subscription_data: { trial_period_days: 14 },
  })
  expect(session).toMatchObject({ amount_total: 100, currency: 'usd' })
  const page = await visit(url)
  expect(words(page)).toContain('Trial for 14 days, then $10.00 per month, until you cancel.')
  const declined = await press(page, 'Pay', card('4000000000000002'))
  expect(await subscriptions(customer)).toEqual([])
  await press(declined, 'Pay', card('4242424242424242'))
  const complete = await read(session.id)
  expect(complete).toMatchObject({ status: 'complete', payment_status: 'paid' })
  const subscription = complete.subscription as Stripe.Subscription
  expect(subscription.status).toBe('trialing')
  expect(subscription.items.data.map(({ price }) => price.id)).toEqual(['price_pro_monthly'])
  const { lines: billed, amount_paid: paid } = complete.invoice as Stripe.Invoice
  expect([paid, billed.data.map(({ amount, parent }) => [amount, parent?.type])]).toEqual([
    100,
    [
      [0, 'subscription_item_details'],
      [100, 'invoice_item_details'],
    ],
  ])
  const next = await bench.stripe.invoices.createPreview({ customer, subscription: subscription.id })
  expect(next.total).toBe(1000)
  const alone = { line_items: [{ price: trial.id, quantity: 1 }] }
  await expect(checkout(alone)).rejects.toThrow('at least one recurring price')
  await expect(bench.stripe.subscriptions.create({ customer, items: [{ price: trial.id }] })).rejects.toThrow(
    'type=recurring',
  )
})

test('S23 promotion codes change the amount or explain why they can’t', async () => {
  const coupon = await bench.stripe.coupons.create({ percent_off: 20, duration: 'once' })
  const promotion = { type: 'coupon' as const, coupon: coupon.id }
  await bench.stripe.promotionCodes.create({ promotion, code: 'TWENTY' })
  const used = await bench.stripe.promotionCodes.create({ promotion, code: 'USEDUP', max_redemptions: 1 })
  await bench.stripe.promotionCodes.create({
    promotion,
    code: 'BIGONLY',
    restrictions: { minimum_amount: 5000, minimum_amount_currency: 'usd' },
  })
  const { session, url, customer } = await checkout({ allow_promotion_codes: true })
  expect(words(await press(await visit(url), 'Apply', { code: 'NOPE' }))).toContain('This promotion code is invalid.')
  expect(words(await press(await visit(url), 'Apply', { code: 'bigonly' }))).toContain('requires a higher amount')
  const reduced = await press(await visit(url), 'Apply', { code: 'twenty' })
  expect(words(reduced)).toContain('Pay $8.00')
  await press(reduced, 'Remove promotion code')
  expect((await read(session.id)).amount_total).toBe(1000)
  await press(await press(await visit(url), 'Apply', { code: 'USEDUP' }), 'Pay', card('4242424242424242'))
  expect(await read(session.id)).toMatchObject({
    amount_total: 800,
    total_details: { amount_discount: 200 },
    discounts: [{ promotion_code: used.id }],
  })
  const other = await checkout({ allow_promotion_codes: true })
  expect(words(await press(await visit(other.url), 'Apply', { code: 'USEDUP' }))).toContain('used up')
  const clock = await bench.stripe.testHelpers.testClocks.create({
    frozen_time: Math.floor(Date.now() / 1000) + 5,
    customer,
  })
  await advanceDays(bench, clock.id, 32)
  const invoices = await bench.stripe.invoices.list({ customer })
  expect(invoices.data.map((each) => each.amount_paid)).toEqual([1000, 800])
  const free = await bench.stripe.coupons.create({ percent_off: 100, duration: 'forever' })
  const gift = await checkout({ discounts: [{ coupon: free.id }], payment_method_collection: 'if_required' })
  await press(await visit(gift.url), 'Pay', {})
  expect(await read(gift.session.id)).toMatchObject({
    payment_status: 'no_payment_required',
    subscription: { status: 'active' },
  })
})

test('S23 a single-use code held by two pages is used once, and the second page shows the full amount first', async () => {
  const free = await bench.stripe.coupons.create({ percent_off: 100, duration: 'once' })
  const promotion = { type: 'coupon' as const, coupon: free.id }
  const code = await bench.stripe.promotionCodes.create({ promotion, code: 'ONLYONE', max_redemptions: 1 })
  const [first, second] = [
    await checkout({ allow_promotion_codes: true }),
    await checkout({ allow_promotion_codes: true, payment_method_collection: 'if_required' }),
  ]
  const mine = await press(await visit(first.url), 'Apply', { code: 'ONLYONE' })
  const theirs = await press(await visit(second.url), 'Apply', { code: 'ONLYONE' })
  await press(mine, 'Pay', card('4242424242424242'))
  const refused = await press(theirs, 'Pay', {})
  expect(words(refused)).toContain('used up')
  expect(words(refused)).toContain('Pay $10.00')
  expect(await read(second.session.id)).toMatchObject({ status: 'open', amount_total: 1000, discounts: [] })
  expect(await bench.stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1 })
  await press(refused, 'Pay', card('4242424242424242'))
  expect(await read(second.session.id)).toMatchObject({ status: 'complete', invoice: { amount_paid: 1000 } })
})

test('S23 a coupon for one product is refused for others, and stops when the plan is switched', async () => {
  const coupon = await bench.stripe.coupons.create({
    percent_off: 20,
    duration: 'forever',
    applies_to: { products: ['prod_pro_monthly'] },
  })
  const promotion = { type: 'coupon' as const, coupon: coupon.id }
  const code = await bench.stripe.promotionCodes.create({ promotion, code: 'PROONLY' })
  const discounts = [{ promotion_code: code.id }]
  await expect(
    checkout({ line_items: [{ price: 'price_team_monthly', quantity: 1 }], discounts }),
  ).rejects.toMatchObject({ param: 'discounts[0][promotion_code]', code: 'promotion_code_invalid' })
  await expect(
    bench.stripe.coupons.create({ percent_off: 5, duration: 'once', applies_to: { products: ['prod_none'] } }),
  ).rejects.toMatchObject({ param: 'applies_to[products][0]' })
  const { session, url, customer } = await checkout({ discounts })
  expect(session.amount_total).toBe(800)
  await press(await visit(url), 'Pay', card('4242424242424242'))
  const subscription = (await read(session.id)).subscription as Stripe.Subscription
  const item = subscription.items.data[0]?.id ?? ''
  const preview = await bench.stripe.invoices.createPreview({
    customer,
    subscription: subscription.id,
    subscription_details: { items: [{ id: item, price: 'price_team_monthly' }], proration_behavior: 'none' },
  })
  expect(preview).toMatchObject({ total: 2000, total_discount_amounts: [] })
})

test('S23 an amount off in another currency is refused everywhere', async () => {
  const euros = await bench.stripe.coupons.create({ amount_off: 300, currency: 'eur', duration: 'once' })
  await bench.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: euros.id }, code: 'EUROS' })
  const { session, url, customer } = await checkout({ allow_promotion_codes: true })
  expect(words(await press(await visit(url), 'Apply', { code: 'EUROS' }))).toContain('another currency')
  expect(await read(session.id)).toMatchObject({ amount_total: 1000 })
  await expect(checkout({ discounts: [{ coupon: euros.id }] })).rejects.toMatchObject({ param: 'discounts[0][coupon]' })
  await attachTestCard(bench, customer, 'pm_card_visa')
  const { id } = await bench.stripe.subscriptions.create({ customer, items: [{ price: 'price_pro_monthly' }] })
  await expect(bench.stripe.subscriptions.update(id, { discounts: [{ coupon: euros.id }] })).rejects.toMatchObject({
    param: 'discounts[0][coupon]',
  })
})

test('S23 a code whose coupon was deleted is removed before payment', async () => {
  const coupon = await bench.stripe.coupons.create({ percent_off: 50, duration: 'once' })
  await bench.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'GONE' })
  const { session, url } = await checkout({ allow_promotion_codes: true })
  const reduced = await press(await visit(url), 'Apply', { code: 'GONE' })
  await bench.stripe.coupons.del(coupon.id)
  expect(words(await press(reduced, 'Pay', card('4242424242424242')))).toContain('you haven’t been charged')
  expect(await read(session.id)).toMatchObject({ status: 'open', amount_total: 1000 })
})

test('S23 codes that are used up, inactive, for another customer or for first orders only say so', async () => {
  let now = Date.now()
  const own = await openBench({ now: () => now })
  const coupon = await own.stripe.coupons.create({ percent_off: 50, duration: 'once' })
  const promotion = { type: 'coupon' as const, coupon: coupon.id }
  const [ida, eva] = [await own.stripe.customers.create({}), await own.stripe.customers.create({})]
  await attachTestCard(own, ida.id, 'pm_card_visa')
  await own.stripe.subscriptions.create({ customer: ida.id, items: [{ price: 'price_pro_monthly' }] })
  await own.stripe.promotionCodes.create({ promotion, code: 'SOON', expires_at: Math.floor(now / 1000) + 60 })
  await own.stripe.promotionCodes.create({ promotion, code: 'EVA', customer: eva.id })
  await own.stripe.promotionCodes.create({ promotion, code: 'OFF', active: false })
  await own.stripe.promotionCodes.create({ promotion, code: 'FIRST', restrictions: { first_time_transaction: true } })
  const { url } = await own.stripe.checkout.sessions.create({
    allow_promotion_codes: true,
    customer: ida.id,
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    mode: 'subscription',
    success_url: success,
  })
  now += 61_000
  for (const code of ['SOON', 'EVA', 'OFF', 'FIRST']) {
    const page = await press(await visit(String(url)), 'Apply', { code })
    expect([code, page.text.includes('role="alert"')]).toEqual([code, true])
    expect(words(page)).toContain('Pay $10.00')
  }
  await own.close()
  expect(own.problems).toEqual([])
})

test('a form responds with a redirect: reloading an error resubmits nothing', async () => {
  const { url, customer } = await checkout()
  const refused = await press(await visit(url), 'Pay', card('4000000000000002'))
  expect(refused.url).toMatch(/\?said=\w{22}$/)
  const failed = async () => (await eventTypes(bench, customer)).filter((type) => type === 'charge.failed')
  expect(await failed()).toHaveLength(1)
  expect(words(await visit(refused.url))).toContain('Your card was declined.')
  expect(await failed()).toHaveLength(1)
  expect(words(await visit(url))).not.toContain('declined')
  const elsewhere = `${(await checkout()).url}${new URL(refused.url).search}`
  expect(words(await visit(elsewhere))).not.toContain('declined')
})

test('S24 an expired session cannot be paid, and a complete one cannot expire', async () => {
  const { session, url } = await checkout()
  const open = await visit(url)
  expect(await bench.stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired', url: null })
  expect(words(await press(open, 'Pay', card('4242424242424242')))).toContain('This checkout has expired')
  expect((await failure(bench.stripe.checkout.sessions.expire(session.id))).statusCode).toBe(400)
  const done = await checkout()
  await press(await visit(done.url), 'Pay', card('4242424242424242'))
  expect((await failure(bench.stripe.checkout.sessions.expire(done.session.id))).statusCode).toBe(400)
  expect(words(await visit(done.url))).toContain('This checkout is complete')
  expect((await visit(`http://localhost:${bench.sandbox.port}/c/pay/cs_test_unknown`)).status).toBe(404)
})

test('S25 submitting twice gives one subscription', async () => {
  const { url, customer, session } = await checkout()
  const page = await visit(url)
  const both = await Promise.all([
    press(page, 'Pay', card('4242424242424242')),
    press(page, 'Pay', card('4242424242424242')),
  ])
  expect(both.map((each) => each.location)).toEqual(Array(2).fill(success.replace('{CHECKOUT_SESSION_ID}', session.id)))
  expect(await subscriptions(customer)).toHaveLength(1)
})

test('S26 payment_method_types is refused, as is anything else a checkout doesn’t support', async () => {
  const base =
    'mode=subscription&success_url=http://localhost/x&line_items[0][price]=price_pro_monthly&line_items[0][quantity]=1'
  const refused = await bench.call('POST', '/v1/checkout/sessions', `${base}&payment_method_types[0]=card`)
  expect(refused.body).toMatchObject({ error: { code: 'parameter_unknown', param: 'payment_method_types' } })
  const soon = Math.floor(Date.now() / 1000) + 60
  for (const [more, param] of [
    ['&allow_promotion_codes=true&discounts[0][coupon]=x', 'allow_promotion_codes'],
    [`&expires_at=${soon}`, 'expires_at'],
    ['&customer=cus_none', 'customer'],
    ['&cancel_url=javascript:alert(1)', 'cancel_url'],
  ]) {
    const answer = await bench.call('POST', '/v1/checkout/sessions', `${base}${more}`)
    expect(answer).toMatchObject({ status: 400, body: { error: { param } } })
  }
  const price = await bench.call('POST', '/v1/checkout/sessions', base.replace('price_pro_monthly', 'price_none'))
  expect(price.body).toMatchObject({ error: { message: "No such price: 'price_none'", param: 'line_items[0][price]' } })
  const missing = await bench.call(
    'POST',
    '/v1/checkout/sessions',
    'mode=subscription&success_url=http://localhost/x&line_items[0][quantity]=1',
  )
  expect(missing.body).toMatchObject({ error: { code: 'parameter_missing', param: 'line_items[0][price]' } })
})

test('S46 a real card number is refused in every field, and neither stored nor logged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'))
  const own = await openBench({ dataFile: join(folder, 'stripe.db') })
  const session = await own.stripe.checkout.sessions.create({
    allow_promotion_codes: true,
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    mode: 'subscription',
    success_url: success,
  })
  const url = String(session.url)
  const typed = (number: string) => ({ ...card(number), email: 'ida@example.test' })
  const real = '4111111111111111'
  const refused = await press(await visit(url), 'Pay', typed(real))
  expect(words(refused)).toContain('Never enter a real card number')
  expect(refused.text).not.toContain(real)
  expect(words(await press(await visit(url), 'Pay', typed('4242424242424241')))).toContain(
    'Your card number is incorrect',
  )
  expect(words(await press(await visit(url), 'Pay', { ...typed('4242424242424242'), expiry: '01 / 20' }))).toContain(
    'in the past',
  )
  expect(words(await press(await visit(url), 'Pay', { ...typed('4242424242424242'), cvc: '1' }))).toContain(
    'security code is incomplete',
  )
  await press(await visit(url), 'Apply', { code: real })
  await press(await visit(url), 'Pay', typed('4000000000000002'))
  const spaced = '4111 1111 1111 1111'
  await press(await visit(url), 'Pay', { ...typed(real), email: `${real}@x`, name: spaced })
  expect((await own.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  expect(own.logged.join('\n')).not.toContain(real)
  await own.close()
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  expect(kept.join('')).toContain('charge.failed')
  for (const number of [real, spaced, '4000000000000002']) expect(kept.join('')).not.toContain(number)
  rmSync(folder, { recursive: true })
})

test('forms from another origin, without a token or with a wrong one change nothing', async () => {
  const { url, session } = await checkout()
  const page = await visit(url)
  const body = new URLSearchParams({ action: 'pay', ...card('4242424242424242') })
  expect((await visit(url, { body, method: 'POST' })).status).toBe(403)
  body.set('csrf', 'wrong')
  expect((await visit(url, { body, method: 'POST' })).status).toBe(403)
  body.set('csrf', /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
  expect((await visit(url, { body, headers: { origin: 'http://evil.example' }, method: 'POST' })).status).toBe(403)
  expect((await read(session.id)).status).toBe('open')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' http://localhost:3000")
  expect(policy).not.toContain('unsafe')
  expect(page.text.match(/(?:src|href)="https?:\/\/(?!localhost:3000)/g)).toBeNull()
})

test('a checkout without a customer asks for an address and creates one', async () => {
  const session = await bench.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_team_monthly', quantity: 1 }],
    success_url: success,
  })
  const page = await visit(String(session.url))
  expect(words(await press(page, 'Pay', card('4242424242424242')))).toContain('Your email is missing')
  await press(page, 'Pay', { ...card('4242424242424242'), email: 'new@example.test' })
  const complete = await read(session.id)
  expect(complete).toMatchObject({ status: 'complete', customer_details: { email: 'new@example.test' } })
  expect(await bench.stripe.customers.retrieve(String(complete.customer))).toMatchObject({
    email: 'new@example.test',
    name: 'Ida Test',
  })
})

test('an abandoned session expires automatically', async () => {
  let now = Date.now()
  const own = await openBench({ now: () => now })
  const session = await own.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_pro_monthly', quantity: 1 }],
    success_url: success,
    expires_at: Math.floor(now / 1000) + 1800,
  })
  now += 1801 * 1000
  expect(words(await visit(String(session.url)))).toContain('expired')
  await waitFor(async () => (await own.stripe.checkout.sessions.retrieve(session.id)).status === 'expired')
  expect((await own.stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(1)
  await own.close()
  expect(own.problems).toEqual([])
})
