import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { beforeAll, expect, test } from 'vitest'
import { auditLogEntries, offer } from '#server/db/schema/index.ts'
import { offersCalls } from '#server/features/billing/offers/feature.ts'
import { reconcileOffers } from '#server/features/billing/subscriptions/offers/refresh-offers.ts'
import { listPlans } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { subscriptionsCalls } from '#server/features/billing/subscriptions/subscriptions.calls.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { AuditPayload } from '#server/features/identity/auth/security/security-event.ts'
import { createPageLookup } from '#server/features/publishing/mailings/checks/check-links.ts'
import type { Caller } from '#server/http/principal.ts'
import type { CallRequest } from '#server/http/product-calls.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import { type NewOffer, type Offer, offerCall } from '#shared/contracts/billing/offers.ts'
import { ageAuthentication } from '#tests/integration/account/support.ts'
import { dayMs, deliver, openBilling, payAtCheckout, startClock, travel } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser
let count = 0

beforeAll(async () => {
  owner = await billing.user({ admin: true })
})

const terms = (more: Partial<NewOffer> = {}): NewOffer => {
  count += 1
  return {
    requestId: crypto.randomUUID(),
    code: `SAVE-${count}`,
    percentOff: 20,
    amountOffCents: null,
    duration: 'once',
    months: null,
    plans: ['pro_monthly', 'pro_yearly'],
    maxRedemptions: null,
    lastDay: null,
    newCustomersOnly: false,
    ...more,
  }
}
const make = (more?: Partial<NewOffer>) => billing.call('admin-create-offer', terms(more), owner)
async function made(more?: Partial<NewOffer>) {
  const { status, body } = await make(more)
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
  return body as { id: string; code: string; link: string }
}

const list = async (who = owner) => (await billing.call('admin-offers', {}, who)).body.items as Offer[]
/** An offer with its amounts in dollars. */
const offerOf = async (id: string) => {
  const found = (await list()).find((one) => one.id === id)
  return found && { paidCents: 0, refundedCents: 0, discountCents: 0, ...found.totals[0], ...found }
}
const visit = async (code: string) => (await billing.call('offer', { code })).body.offer
const rowOf = async (id: string) => (await billing.db.select().from(offer).where(eq(offer.id, id)))[0]
const codesAtStripe = async (code: string) => (await billing.api.promotionCodes.list({ code, limit: 100 })).data
const couponsAtStripe = async (id: string) => {
  const all = await billing.api.coupons.list({ limit: 100 })
  return all.data.filter(({ metadata }) => metadata?.offer_id === id)
}

async function loggedAbout(id: string): Promise<AuditPayload[]> {
  const rows = await billing.db.select({ payload: auditLogEntries.payload }).from(auditLogEntries)
  return rows.map(({ payload }) => payload as AuditPayload).filter(({ object }) => object?.id === id)
}

const checkout = (user: TestUser, code: string | null, plan: PlanKey = 'pro_monthly') =>
  billing.call('create-checkout', { priceId: billing.priceOf(plan), offer: code }, user)

const newestSession = async (user: TestUser) => {
  const customer = await billing.customerOf(user)
  return (await billing.api.checkout.sessions.list({ customer, limit: 1 })).data[0] as Stripe.Checkout.Session
}

/** Pays for a plan with an offer, and tells the server. */
async function buy(user: TestUser, code: string, plan?: PlanKey) {
  const { status, body } = await checkout(user, code, plan)
  expect(status).toBe(200)
  await payAtCheckout(String(body.url))
  await syncCustomer(billing.deps, await billing.customerOf(user))
}

test('an offer is a coupon and a promotion code at Stripe, with its terms', async () => {
  const { id, code, link } = await made({
    code: 'spring-1',
    duration: 'repeating',
    months: 3,
    maxRedemptions: 50,
    lastDay: '2099-01-01',
    newCustomersOnly: true,
  }).catch((error: Error) => ({ id: '', code: error.message, link: '' }))
  // More than five years ahead.
  expect([id, code]).toEqual(['', expect.stringContaining('five years')])
  expect(link).toBe('')
  const year = billing.server.clock.now.getUTCFullYear() + 1
  const spring = await made({
    code: 'spring-1',
    duration: 'repeating',
    months: 3,
    maxRedemptions: 50,
    lastDay: `${year}-03-31`,
    newCustomersOnly: true,
  })
  expect(spring).toMatchObject({ code: 'SPRING-1', link: `${billing.deps.config.publicUrl}/offer/SPRING-1` })
  const [promotion] = await codesAtStripe('SPRING-1')
  expect(promotion).toMatchObject({
    active: true,
    max_redemptions: 50,
    restrictions: { first_time_transaction: true },
    // Midnight in New York, which has daylight saving time by then.
    expires_at: Date.parse(`${year}-04-01T04:00:00Z`) / 1000,
  })
  expect(await couponsAtStripe(spring.id)).toMatchObject([
    { percent_off: 20, duration: 'repeating', duration_in_months: 3, name: 'SPRING-1' },
  ])
  expect(await offerOf(spring.id)).toMatchObject({ state: 'running', lastDay: `${year}-03-31`, redeemed: 0 })
  expect(await visit(' spring-1')).toEqual({
    code: 'SPRING-1',
    currency: null,
    percentOff: 20,
    amountOffCents: null,
    duration: 'repeating',
    months: 3,
    plans: ['pro_monthly', 'pro_yearly'],
    lastDay: `${year}-03-31`,
    newCustomersOnly: true,
  })
})

test('terms that make no sense are refused, and nothing is stored', async () => {
  const before = (await list()).length
  const refusals: [Partial<NewOffer>, RegExp][] = [
    [{ code: 'AB' }, /3 to 40/],
    [{ code: 'SÄLE' }, /3 to 40/],
    [{ code: '-SALE' }, /3 to 40/],
    [{ percentOff: null }, /percentage or an amount/],
    [{ amountOffCents: 500 }, /percentage or an amount/],
    [{ percentOff: 101 }, /percentOff/],
    [{ duration: 'repeating' }, /how many months/],
    [{ months: 3 }, /how many months/],
    [{ percentOff: 100, duration: 'forever' }, /free forever/],
    [{ percentOff: null, amountOffCents: 1001 }, /more than Pro Monthly costs \(\$10\)/],
    [{ percentOff: 96 }, /less than Stripe can charge/],
    [{ plans: [] }, /at least one plan/],
    [{ lastDay: '2020-01-01' }, /has passed/],
    [{ lastDay: '2026-02-30' }, /lastDay/],
    [{ maxRedemptions: 0 }, /maxRedemptions/],
  ]
  for (const [more, message] of refusals) {
    const { status, body } = await make(more)
    expect([status, String(body.error)], JSON.stringify(more)).toEqual([400, expect.stringMatching(message)])
  }
  expect(await list()).toHaveLength(before)
})

test('the last day ends at midnight in the publication’s time zone', async () => {
  // 11 pm on the day before in New York.
  const now = billing.server.clock.now
  const today = new Date(now.getTime() + dayMs).toISOString().slice(0, 10)
  const { id, code } = await made({ lastDay: today })
  const { endsAt } = (await rowOf(id)) ?? {}
  expect(endsAt?.toISOString()).toMatch(/T0[45]:00:00\.000Z$/)
  billing.server.clock.now = new Date((endsAt?.getTime() ?? 0) - 1)
  expect(await visit(code)).not.toBeNull()
  billing.server.clock.now = new Date(endsAt?.getTime() ?? 0)
  expect(await visit(code)).toBeNull()
  expect(await offerOf(id)).toMatchObject({ state: 'ended', endedAt: null })
  billing.server.clock.now = now
})

test('a second click and a second tab create one offer', async () => {
  const given = terms()
  const clicks = await Promise.all(Array.from({ length: 5 }, () => billing.call('admin-create-offer', given, owner)))
  expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(await codesAtStripe(given.code)).toHaveLength(1)
  expect(await couponsAtStripe(given.requestId)).toHaveLength(1)
  const other = await make({ code: given.code.toLowerCase() })
  expect((await make({ ...given, percentOff: 30 })).body.code).toBe('offer_code_taken')
  expect([other.status, other.body.code]).toEqual([409, 'offer_code_taken'])
  expect(await codesAtStripe(given.code)).toHaveLength(1)
  expect((await loggedAbout(given.requestId)).map(({ action, changes }) => [action, changes])).toEqual([
    [
      'offer_created',
      [
        { field: 'discount', before: null, after: '20% off the first payment' },
        { field: 'plans', before: null, after: 'Pro Monthly, Pro Yearly' },
        { field: 'newCustomersOnly', before: null, after: 'false' },
      ],
    ],
  ])
})

test('an interrupted creation is finished by the next attempt or by the hourly comparison, without duplicates', async () => {
  const isCode = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/v1/promotion_codes'
  const finish = [
    (given: NewOffer) => billing.call('admin-create-offer', given, owner),
    () => reconcileOffers(billing.deps),
  ]
  for (const [when, proceed] of [
    ['before', finish[0]],
    ['after', finish[0]],
    ['after', finish[1]],
  ] as const) {
    const given = terms()
    // Not 503, after which the Stripe library repeats the request itself.
    billing.proxy.failOnce(isCode, when, 400)
    const first = await billing.call('admin-create-offer', given, owner)
    expect(first.status).toBe(502)
    expect(await offerOf(given.requestId)).toMatchObject({ state: 'unfinished' })
    expect(await visit(given.code)).toBeNull()
    await proceed?.(given)
    expect(await offerOf(given.requestId)).toMatchObject({ state: 'running' })
    expect(await codesAtStripe(given.code)).toHaveLength(1)
    expect(await couponsAtStripe(given.requestId)).toHaveLength(1)
  }
})

test('a code that was made in Stripe’s dashboard is refused, and its coupon is removed', async () => {
  const coupon = await billing.api.coupons.create({ percent_off: 5, duration: 'once' })
  await billing.api.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'DASHBOARD' })
  const given = terms({ code: 'dashboard' })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { status, body } = await billing.call('admin-create-offer', given, owner)
    expect([status, body.code]).toEqual([409, 'offer_code_taken'])
  }
  expect(await couponsAtStripe(given.requestId)).toEqual([])
  expect(await visit('DASHBOARD')).toBeNull()
})

test('checkout takes the offer’s discount and no other code', async () => {
  const { id, code } = await made()
  const user = await billing.user()
  const { body } = await checkout(user, code.toLowerCase())
  const session = await newestSession(user)
  expect(session).toMatchObject({
    amount_total: 800,
    allow_promotion_codes: null,
    discounts: [{ promotion_code: (await rowOf(id))?.stripePromotionCodeId }],
  })
  expect((await checkout(user, code)).body.url).toBe(body.url)
  // Without the offer it is another checkout, at the regular price.
  const { body: regular } = await checkout(user, null)
  expect(regular.url).not.toBe(body.url)
  expect(await newestSession(user)).toMatchObject({ amount_total: 1000, allow_promotion_codes: true })
  expect(await billing.api.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired' })
})

test('a plan that the offer doesn’t cover has its regular price', async () => {
  const { code } = await made()
  const user = await billing.user()
  expect((await checkout(user, code, 'team_monthly')).status).toBe(200)
  expect(await newestSession(user)).toMatchObject({ amount_total: 2000, discounts: [] })
})

test('an ended or unknown offer is refused before Stripe is opened, and a subscriber is never asked', async () => {
  const { id, code } = await made()
  const user = await billing.user()
  await checkout(user, code)
  expect((await billing.call('admin-end-offer', { id }, owner)).status).toBe(200)
  // A second click changes nothing.
  expect((await billing.call('admin-end-offer', { id }, owner)).status).toBe(200)
  const ended = await checkout(user, code)
  const unknown = await checkout(user, 'NO-SUCH-CODE')
  expect([ended.status, ended.body.code]).toEqual([409, 'offer_unavailable'])
  expect(unknown.body).toEqual(ended.body)
  expect([await visit(code), await visit('NO-SUCH-CODE')]).toEqual([null, null])
  expect(await offerOf(id)).toMatchObject({ state: 'ended', endedHere: true })
  expect((await codesAtStripe(code))[0]).toMatchObject({ active: false })
  expect((await loggedAbout(id)).filter(({ action }) => action === 'offer_ended')).toMatchObject([
    { changes: [{ field: 'state', before: 'running', after: 'ended' }] },
  ])
  await payAtCheckout(String((await checkout(user, null)).body.url))
  await syncCustomer(billing.deps, await billing.customerOf(user))
  const portal = await checkout(user, code)
  expect([portal.status, portal.body.url]).toEqual([200, expect.stringContaining('/p/session/')])
})

test('an offer that was ended, reactivated or deleted at Stripe is noticed', async () => {
  const { id, code } = await made()
  const [promotion] = await codesAtStripe(code)
  const newestEvent = async () => (await billing.api.events.list({ limit: 1 })).data[0] ?? {}
  await billing.api.promotionCodes.update(promotion?.id ?? '', { active: false })
  // Until the webhook arrives, Stripe refuses the checkout.
  const user = await billing.user()
  expect((await checkout(user, code)).body.code).toBe('offer_unavailable')
  expect(await offerOf(id)).toMatchObject({ state: 'ended', endedHere: false, endedAt: expect.any(String) })
  await billing.api.promotionCodes.update(promotion?.id ?? '', { active: true })
  expect(await deliver(billing, await newestEvent())).toBe(200)
  expect(await offerOf(id)).toMatchObject({ state: 'running', endedAt: null })
  await billing.api.coupons.del(`offer_${id}`)
  expect(await deliver(billing, await newestEvent())).toBe(200)
  expect(await offerOf(id)).toMatchObject({ state: 'ended' })

  // The webhook of another one never arrives.
  const missed = await made()
  const [other] = await codesAtStripe(missed.code)
  await billing.api.promotionCodes.update(other?.id ?? '', { active: false })
  await reconcileOffers(billing.deps)
  expect(await offerOf(missed.id)).toMatchObject({ state: 'ended', endedHere: false })
})

test('of two last uses, one gets the discount, and the other sees the full amount before paying', async () => {
  const { id, code } = await made({ maxRedemptions: 1 })
  const [ana, ben] = [await billing.user(), await billing.user()]
  const [first, second] = [await checkout(ana, code), await checkout(ben, code)]
  const pay = (url: unknown) =>
    payAtCheckout(String(url)).then(
      () => 'paid',
      () => 'refused',
    )
  const results = await Promise.all([pay(first.body.url), pay(second.body.url)])
  expect(results.toSorted()).toEqual(['paid', 'refused'])
  const loser = results[0] === 'paid' ? ben : ana
  for (const user of [ana, ben]) await syncCustomer(billing.deps, await billing.customerOf(user))
  expect(await newestSession(loser)).toMatchObject({ status: 'open', amount_total: 1000 })
  expect(await offerOf(id)).toMatchObject({ state: 'used_up', redeemed: 1, customers: 1, paidCents: 800 })
  expect(await visit(code)).toBeNull()
  // The open session lost its discount, so coming back tells them, instead of sending them to the full price.
  expect((await checkout(loser, code)).body.code).toBe('offer_unavailable')
  expect((await checkout(loser, null)).status).toBe(200)
})

test('an offer for new customers is refused for one who has paid before, also by Stripe alone', async () => {
  const { code } = await made({ newCustomersOnly: true })
  const user = await billing.user()
  await payAtCheckout(String((await checkout(user, null)).body.url))
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  const [subscription] = (await billing.api.subscriptions.list({ customer })).data
  await billing.api.subscriptions.cancel(subscription?.id ?? '')
  await syncCustomer(billing.deps, customer)
  const { status, body } = await checkout(user, code)
  expect([status, body.code, body.error]).toEqual([
    409,
    'offer_for_new_customers',
    expect.stringContaining('new customers'),
  ])
  expect((await checkout(await billing.user(), code)).status).toBe(200)
})

test('the list equals Stripe’s invoices to the cent, over months, a refund and a free first month', async () => {
  const before = await moneyPage()
  const three = await made({ percentOff: 33, duration: 'repeating', months: 3 })
  const free = await made({ percentOff: 100 })
  const five = await made({ percentOff: null, amountOffCents: 555, duration: 'forever', plans: ['pro_yearly'] })
  const [ana, ben, eve] = [await billing.user(), await billing.user(), await billing.user()]
  await buy(ana, three.code)
  await buy(ben, free.code)
  await buy(eve, five.code, 'pro_yearly')
  const customer = await billing.customerOf(ana)
  const clock = await startClock(billing.api, customer)
  for (let month = 1; month <= 4; month += 1) {
    await travel(billing.api, clock.id, new Date((clock.frozen_time + month * 31 * 86_400) * 1000))
  }
  const charges = await billing.api.charges.list({ customer })
  await billing.api.refunds.create({ charge: charges.data.at(-1)?.id, amount: 123 })
  await syncCustomer(billing.deps, customer, { afterPayment: true })
  for (const [user, { id }] of [
    [ana, three],
    [ben, free],
    [eve, five],
  ] as const) {
    const invoices = await billing.api.invoices.list({ customer: await billing.customerOf(user), limit: 100 })
    const paid = invoices.data.filter(({ status }) => status === 'paid')
    const discounts = paid.flatMap(({ total_discount_amounts: all }) => all ?? [])
    const figures = await offerOf(id)
    expect(figures).toMatchObject({
      redeemed: 1,
      customers: 1,
      paidCents: paid.reduce((sum, { amount_paid }) => sum + amount_paid, 0),
      refundedCents: user === ana ? 123 : 0,
      discountCents: discounts.reduce((sum, { amount }) => sum + amount, 0),
    })
  }
  expect((await offerOf(three.id))?.discountCents).toBe(3 * 330)
  expect(await offerOf(free.id)).toMatchObject({ paidCents: 0, discountCents: 1000 })
  expect(await offerOf(five.id)).toMatchObject({ paidCents: 9345, discountCents: 555 })
  // The Money page grew by the same amounts.
  const offers = await Promise.all([three, free, five].map(({ id }) => offerOf(id)))
  const sum = (of: (one: NonNullable<(typeof offers)[number]>) => number) =>
    offers.reduce((all, one) => all + (one ? of(one) : 0), 0)
  const after = await moneyPage()
  expect({ paid: after.paid - before.paid, refunded: after.refunded - before.refunded }).toEqual({
    paid: sum(({ paidCents }) => paidCents),
    refunded: sum(({ refundedCents }) => refundedCents),
  })
  // A second sync changes nothing.
  await syncCustomer(billing.deps, customer, { afterPayment: true })
  expect(await offerOf(three.id)).toEqual(offers[0])
})

async function moneyPage() {
  const later = new Date(billing.server.clock.now.getTime() + 200 * dayMs).toISOString().slice(0, 7)
  const { body } = await billing.call('admin-revenue', { until: later }, owner)
  const { months } = body as unknown as RevenueReport
  const sum = (of: (month: RevenueReport['months'][number]) => number) => months.reduce((all, one) => all + of(one), 0)
  return { paid: sum(({ total }) => total.paidCents), refunded: sum(({ total }) => total.refundedCents) }
}

test('the member page and the billing page show the discount, and support sees no amounts', async () => {
  const { code } = await made({ duration: 'repeating', months: 3 })
  const user = await billing.user()
  await buy(user, code)
  const { body } = await billing.call('admin-member-billing', { userId: user.id }, owner)
  expect(body.stripe).toMatchObject({
    discounts: [{ code, terms: '20% off', until: expect.any(String) }],
    invoices: [{ totalCents: 800, paidCents: 800 }],
  })
  const overview = await billing.call('billing-overview', {}, user)
  expect(overview.body.stripe).toMatchObject({
    nextPayment: { amountCents: 800 },
    discounts: [{ code, terms: '20% off' }],
    invoices: [{ amountCents: 800 }],
  })
  const support = await billing.user({ role: 'support' })
  const details = async (who: TestUser) => {
    const timeline = await billing.call('admin-member-timeline', { userId: user.id, kind: 'payments' }, who)
    const items = timeline.body.items as { title: string; details: string[] }[]
    return items.find(({ title }) => title.startsWith('Paid'))
  }
  expect(await details(owner)).toMatchObject({
    title: 'Paid $8.00',
    details: ['Pro Monthly', `Discount $2.00 (offer ${code})`],
  })
  expect(await details(support)).toMatchObject({ title: 'Paid', details: ['Pro Monthly', `Discount (offer ${code})`] })
})

test('an offer with a free trial takes its discount off the first payment', async () => {
  const { config } = billing.deps
  const regular = config.trialDays
  Object.assign(config, { trialDays: 14 })
  const { id, code } = await made()
  const user = await billing.user({ confirmed: true })
  await buy(user, code)
  Object.assign(config, { trialDays: regular })
  expect(await billing.row(user)).toMatchObject({ status: 'trialing' })
  expect(await offerOf(id)).toMatchObject({ redeemed: 1, customers: 1, paidCents: 0, discountCents: 0 })
  const customer = await billing.customerOf(user)
  const clock = await startClock(billing.api, customer)
  await travel(billing.api, clock.id, new Date((clock.frozen_time + 15 * 86_400) * 1000))
  await syncCustomer(billing.deps, customer)
  expect(await offerOf(id)).toMatchObject({ redeemed: 1, customers: 1, paidCents: 800, discountCents: 200 })
})

test('the checks of a mailing know the links of offers', async () => {
  const { code } = await made()
  const isThere = createPageLookup(billing.db)
  expect([await isThere(`/offer/${code}`), await isThere('/offer/TYPO-IN-CODE')]).toEqual([true, false])
})

test('creating an offer requires a recent sign-in', async () => {
  const other = await billing.user({ admin: true })
  await ageAuthentication(billing.server, other)
  const { status, body } = await billing.call('admin-create-offer', terms(), other)
  expect([status, body.code]).toEqual([403, 'step_up_required'])
})

test('viewers see figures without codes', async () => {
  const viewer = await billing.user({ role: 'viewer' })
  const items = await list(viewer)
  expect(items.length).toBeGreaterThan(0)
  expect(items.every(({ code, link }) => code === null && link === null)).toBe(true)
  for (const call of ['admin-create-offer', 'admin-end-offer']) {
    const input = call === 'admin-end-offer' ? { id: items[0]?.id } : terms()
    expect((await billing.call(call, input, viewer)).status).toBe(403)
  }
})

test('guessing codes is limited by address', async () => {
  const { config } = billing.deps
  const limits = { ...config.auth.limits, verify: { points: 3, windowSeconds: 60 } }
  const calls = offersCalls({ ...billing.deps, config: { ...config, auth: { ...config.auth, limits } } })
  const guess = calls.find(({ call }) => call.name === offerCall.name)
  const from = (clientAddress: string) =>
    guess?.run({ code: 'GUESS' }, null, { clientAddress } as CallRequest).then(
      () => 'answered',
      ({ code }) => code,
    )
  const answers = []
  for (let index = 0; index < 4; index += 1) answers.push(await from('203.0.113.7'))
  expect(answers).toEqual(['answered', 'answered', 'answered', 'over_request_rate_limit'])
  expect(await from('203.0.113.8')).toBe('answered')
})

test('guessing codes at checkout counts with the other guesses, so it tells no more', async () => {
  const { config } = billing.deps
  const limits = { ...config.auth.limits, verify: { points: 3, windowSeconds: 60 } }
  const deps = { ...billing.deps, config: { ...config, auth: { ...config.auth, limits } } }
  const calls = [...offersCalls(deps), ...subscriptionsCalls({ ...deps, onVisitorKnown: async () => {} })]
  const buyer = await billing.user()
  const who = { userId: buyer.id, email: buyer.email, emailConfirmed: true, sessionId: null } as unknown as Caller
  const from = (name: string, input: object) =>
    calls
      .find(({ call }) => call.name === name)
      ?.run(input, who, { clientAddress: '203.0.113.9' } as CallRequest)
      .then(
        () => 'answered',
        ({ code }) => code,
      )
  const [plan] = listPlans(config)
  const checkout = (offer?: string) => from('create-checkout', { priceId: plan?.priceId, offer })
  await from('offer', { code: 'GUESS' })
  expect([await checkout('GUESS-1'), await checkout('GUESS-2'), await checkout('GUESS-3')]).toEqual([
    'offer_unavailable',
    'offer_unavailable',
    'over_request_rate_limit',
  ])
  expect(await checkout()).toBe('answered')
})
