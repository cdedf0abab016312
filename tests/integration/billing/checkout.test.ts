import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { billingCustomer, teamSeat, users } from '#server/db/schema/index.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, openBilling, payAtCheckout, subscribe } from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
  billing.proxy.outage = null
})

const checkoutPage = /\/c\/pay\/cs_/
const portalPage = /\/p\/session\//

const openSessions = async (customer: string) =>
  (await billing.api.checkout.sessions.list({ customer, status: 'open', limit: 100 })).data

test('the plans are public and include their Stripe ids', async () => {
  const { status, body } = await billing.call('plans', {})
  expect(status).toBe(200)
  expect(body.plans).toHaveLength(3)
  expect(body.plans).toContainEqual({
    key: 'pro_yearly',
    name: 'Pro Yearly',
    productId: billing.productOf('pro_yearly'),
    priceId: billing.priceOf('pro_yearly'),
    priceText: '$99',
    interval: 'year',
  })
  expect(billing.proxy.calls).toEqual([])
})

test('B11: twenty concurrent clicks of a new user create one customer and one open checkout', async () => {
  const user = await billing.user()
  const urls = await Promise.all(Array.from({ length: 20 }, () => billing.checkout(user)))
  expect(new Set(urls).size).toBe(1)
  const customers = await billing.api.customers.list({ email: user.email })
  expect(customers.data.map(({ id }) => id)).toEqual([await billing.customerOf(user)])
  expect(customers.data[0]?.metadata.user_id).toBe(user.id)
  expect(await openSessions(await billing.customerOf(user))).toHaveLength(1)
})

test('B12: another price in a second tab closes the checkout of the first', async () => {
  const user = await billing.user()
  const first = await billing.checkout(user, 'pro_monthly')
  const second = await billing.checkout(user, 'team_monthly')
  expect(second).not.toBe(first)
  const open = await openSessions(await billing.customerOf(user))
  expect(open.map(({ url }) => url)).toEqual([second])
  expect(await billing.checkout(user, 'pro_monthly')).not.toBe(first)
})

test('the checkout has the user, the price and the return URLs', async () => {
  const user = await billing.user()
  await billing.checkout(user, 'pro_yearly')
  const [session] = await openSessions(await billing.customerOf(user))
  expect(session).toMatchObject({
    mode: 'subscription',
    client_reference_id: user.id,
    allow_promotion_codes: true,
    amount_total: 9900,
    success_url: 'http://localhost:3000/billing/return?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/#pricing',
  })
})

test('B13: subscribers get the portal and never a checkout', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  for (const plan of ['pro_monthly', 'team_monthly'] as const) {
    expect(await billing.checkout(user, plan)).toMatch(portalPage)
  }
  expect(await openSessions(customer)).toEqual([])
  expect(await billing.pending(user)).toBeNull()
  const flows = billing.proxy.calls.filter(({ path }) => path.startsWith('/v1/billing_portal/sessions'))
  expect(flows[0]?.body).not.toContain('flow_data')
  expect(flows[1]?.body).toContain('subscription_update_confirm')
  expect(flows[1]?.body).toContain(subscription.id)

  await billing.api.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await billing.checkout(user, 'team_monthly')
  expect(billing.proxy.calls.at(-1)?.body).not.toContain('flow_data')
})

test('a team owner is sent to the billing page, which shows who would lose access, and not to Stripe', async () => {
  const owner = await billing.user()
  await billing.checkout(owner)
  const customer = await billing.customerOf(owner)
  await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
  expect(await billing.checkout(owner, 'pro_monthly')).toMatch(/\/p\/session\//)
  const member = await billing.user()
  await billing.db.insert(teamSeat).values({ ownerId: owner.id, userId: member.id, seat: 2, joinedAt: new Date() })
  const ours = `${billing.deps.config.publicUrl}/account/billing?switch=pro_monthly`
  expect(await billing.checkout(owner, 'pro_monthly')).toBe(ours)
})

test('B14: unknown prices are refused without a call to Stripe', async () => {
  const user = await billing.user()
  for (const priceId of [
    'price_other',
    '__proto__',
    'constructor',
    'pro_monthly',
    '',
    ['price_pro_monthly'],
    7,
    null,
  ]) {
    const { status } = await billing.call('create-checkout', { priceId }, user)
    expect(status).toBe(400)
  }
  const { body } = await billing.call('create-checkout', { priceId: 'price_other' }, user)
  expect(body).toEqual({ error: 'This plan isn’t available. Choose another one.', code: 'plan_unavailable' })
  expect(billing.proxy.calls).toEqual([])
})

test('a price that is archived at Stripe is refused as unavailable', async () => {
  const user = await billing.user()
  const price = billing.priceOf('team_monthly')
  await billing.api.prices.update(price, { active: false })
  try {
    const { status, body } = await billing.call('create-checkout', { priceId: price }, user)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'plan_unavailable' })
  } finally {
    await billing.api.prices.update(price, { active: true })
  }
  expect(await billing.checkout(user, 'team_monthly')).toMatch(checkoutPage)
})

test('B15: signed-out calls are refused', async () => {
  for (const name of ['check-subscription', 'create-checkout', 'complete-checkout', 'customer-portal']) {
    const { status, body } = await billing.call(name, {
      priceId: billing.priceOf('pro_monthly'),
      sessionId: 'cs_test_1',
    })
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'Not authenticated' })
  }
  expect(billing.proxy.calls).toEqual([])
})

test('B16: a forged Origin or Host does not change the return URLs', async () => {
  const user = await billing.user()
  const answer = await billing.server.app.request('http://evil.example/functions/v1/create-checkout', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${user.token}`,
      Origin: 'http://evil.example',
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ priceId: billing.priceOf('pro_monthly') }),
  })
  expect(answer.status).toBe(200)
  const [session] = await openSessions(await billing.customerOf(user))
  expect(session?.success_url).toMatch(/^http:\/\/localhost:3000\//)
  expect(session?.cancel_url).toMatch(/^http:\/\/localhost:3000\//)
})

const asked = (fits: RegExp) =>
  expect
    .poll(() => billing.proxy.calls.some(({ method, path }) => fits.test(`${method} ${path}`)), { timeout: 30_000 })
    .toBe(true)
const names = () =>
  billing.proxy.calls.map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '').replace(/\/c(us|s)_\w+/, '/…')}`)

test('independent calls to Stripe run in parallel', async () => {
  const user = await billing.user()
  const listCall = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/subscriptions?'))
  const first = billing.checkout(user)
  await listCall.held
  // Updating the new customer's email and checking that the customer exists.
  await asked(/^POST \/v1\/customers\/cus_/)
  await asked(/^GET \/v1\/customers\/cus_/)
  listCall.release()
  const url = await first
  expect(names().toSorted()).toEqual([
    'GET /v1/customers/search',
    'GET /v1/customers/…',
    'GET /v1/subscriptions',
    'POST /v1/checkout/sessions',
    'POST /v1/customers',
    'POST /v1/customers/…',
  ])

  billing.proxy.calls.length = 0
  const list = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/checkout/sessions?'))
  const second = billing.checkout(user)
  await list.held
  await asked(/^GET \/v1\/customers\/cus_/)
  list.release()
  expect(await second).toBe(url)
})

test('the sync runs after checkouts of other prices have expired, so that no payment is missed', async () => {
  const user = await billing.user()
  const paid = await billing.checkout(user, 'pro_monthly')
  billing.proxy.calls.length = 0
  const list = billing.proxy.holdResponse(({ path }) => path.startsWith('/v1/checkout/sessions?'))
  const click = billing.checkout(user, 'team_monthly')
  await list.held
  await payAtCheckout(paid)
  list.release()
  expect(await click).toMatch(portalPage)
  const order = names()
  expect(order.indexOf('GET /v1/subscriptions')).toBeGreaterThan(order.indexOf('POST /v1/checkout/sessions/…/expire'))
  expect(order).not.toContain('POST /v1/checkout/sessions')
})

test('B18: an email change between two attempts does not break creating the customer', async () => {
  const user = await billing.user()
  const answer = billing.proxy.holdResponse(({ method, path }) => method === 'POST' && path === '/v1/customers')
  const first = billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly') }, user)
  await answer.held
  billing.proxy.outage = 'refused'
  answer.dropConnection()
  expect((await first).status).toBe(502)
  billing.proxy.outage = null
  await billing.db
    .update(users)
    .set({ email: `new-${user.email}` })
    .where(eq(users.id, user.id))
  await billing.checkout(user)
  const customer = await billing.api.customers.retrieve(await billing.customerOf(user))
  expect(customer).toMatchObject({ email: `new-${user.email}`, metadata: { user_id: user.id } })
  const all = await billing.api.customers.search({ query: `metadata['user_id']:'${user.id}'` })
  expect(all.data).toHaveLength(1)
})

test('B24: while Stripe is down, a checkout returns 502, changes nothing and works afterwards', async () => {
  const user = await billing.user()
  billing.proxy.outage = 'refused'
  const { status, body } = await billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly') }, user)
  expect({ status, code: body.code }).toEqual({ status: 502, code: 'stripe_unavailable' })
  expect(await billing.pending(user)).toBeNull()
  expect(await billing.row(user)).toBeNull()
  billing.proxy.outage = null
  expect(await billing.checkout(user)).toMatch(checkoutPage)
})

test('a checkout whose response was lost is reused', async () => {
  const user = await billing.user()
  const answer = billing.proxy.holdResponse(({ path, method }) => method === 'POST' && path === '/v1/checkout/sessions')
  const first = billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly') }, user)
  await answer.held
  const [made] = await openSessions(await billing.customerOf(user))
  billing.proxy.outage = 'refused'
  answer.dropConnection()
  expect((await first).status).toBe(502)
  expect((await billing.pending(user))?.sessionId).toBeNull()
  billing.proxy.outage = null
  expect(await billing.checkout(user)).toBe(made?.url)
  expect((await billing.pending(user))?.sessionId).toBe(made?.id)
})

test('an expired checkout is replaced', async () => {
  const user = await billing.user()
  const first = await billing.checkout(user)
  const [session] = await openSessions(await billing.customerOf(user))
  await billing.api.checkout.sessions.expire(session?.id ?? '')
  const second = await billing.checkout(user)
  expect(second).not.toBe(first)
  expect(await openSessions(await billing.customerOf(user))).toHaveLength(1)
})

test('an incomplete subscription without an open checkout is canceled for a new purchase', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const [session] = await openSessions(customer)
  await billing.api.checkout.sessions.expire(session?.id ?? '')
  const card = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  const price = billing.priceOf('pro_monthly')
  const { id, status } = await billing.api.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: card,
  })
  expect(status).toBe('incomplete')
  expect(await billing.checkout(user)).toMatch(checkoutPage)
  expect((await billing.api.subscriptions.retrieve(id)).status).toMatch(/canceled|incomplete_expired/)
})

test('an email address that Stripe rejects does not block a purchase', async () => {
  const user = await billing.user()
  billing.proxy.failOnce(({ body }) => body.startsWith('email='), 'before', 400)
  expect(await billing.checkout(user)).toMatch(checkoutPage)
})

test('B27: after the customer was deleted at Stripe a new purchase works', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const old = await billing.customerOf(user)
  await subscribe(billing.api, old, billing.priceOf('pro_monthly'))
  await billing.checkout(user)
  expect((await billing.check(user)).subscribed).toBe(true)
  await billing.api.customers.del(old)
  billing.server.clock.advance(31_000)
  expect((await billing.check(user, { refresh: true })).subscribed).toBe(false)
  expect(await billing.checkout(user)).toMatch(checkoutPage)
  expect(await billing.customerOf(user)).not.toBe(old)
})

test('B27: it also works if only the idempotency key still refers to the customer', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  const old = await billing.customerOf(user)
  await billing.db.delete(billingCustomer).where(eq(billingCustomer.userId, user.id))
  await billing.api.customers.del(old)
  expect(await billing.checkout(user)).toMatch(checkoutPage)
  expect(await billing.customerOf(user)).not.toBe(old)
})

test('the portal opens for a customer and returns 409 without one', async () => {
  const user = await billing.user()
  const without = await billing.call('customer-portal', undefined, user)
  expect(without.status).toBe(409)
  expect(without.body).toEqual({
    error: 'You don’t have a billing account yet. Choose a plan first.',
    code: 'no_billing_account',
  })
  await billing.checkout(user)
  const withCustomer = await billing.call('customer-portal', undefined, user)
  expect(withCustomer.status).toBe(200)
  await billing.api.customers.del(await billing.customerOf(user))
  expect((await billing.call('customer-portal', undefined, user)).status).toBe(409)
})

test('B24: while Stripe is down, the portal returns 502', async () => {
  const user = await billing.user()
  await billing.checkout(user)
  billing.proxy.outage = 'refused'
  const { status, body } = await billing.call('customer-portal', undefined, user)
  expect({ status, code: body.code }).toEqual({ status: 502, code: 'stripe_unavailable' })
})
