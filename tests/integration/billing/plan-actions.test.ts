import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { BillingOverview, SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  attachCard,
  dayMs,
  openBilling,
  secondMs,
  startClock,
  subscribe,
  travel,
  withoutSyncFields,
} from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
  billing.proxy.outage = null
})

const hourMs = 3_600 * secondMs

async function subscriber(plan: PlanKey = 'pro_monthly') {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf(plan))
  await syncCustomer(billing.deps, customer)
  const clock = await startClock(billing.api, customer)
  await syncCustomer(billing.deps, customer)
  billing.proxy.calls.length = 0
  return { user, customer, subscription, clock }
}

async function pastDue() {
  const reader = await subscriber()
  const { user, customer, subscription, clock } = reader
  const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * hourMs))
  await syncCustomer(billing.deps, customer)
  return reader
}

const overview = async (user: TestUser) =>
  (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview
const changes = () => billing.proxy.calls.filter(({ method, path }) => method !== 'GET' && !/create_preview/.test(path))
const preview = async (user: TestUser, plan: PlanKey) =>
  (await billing.call('preview-switch', { priceId: billing.priceOf(plan) }, user)).body as unknown as SwitchPreview
const agreed = ({ prorationDate, dueTodayCents }: SwitchPreview) => ({ prorationDate, dueTodayCents })
const invoicesOf = async (customer: string) => (await billing.api.invoices.list({ customer, limit: 100 })).data
const at = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000)

describe('the billing page', () => {
  test('shows the user’s plan, next payment, card and invoices', async () => {
    const { user, customer, subscription } = await subscriber()
    const shown = await overview(user)
    expect(shown).toMatchObject({ status: 'active', plan: 'pro_monthly', endsAt: null, hasCustomer: true })
    const end = at(subscription.items.data[0]?.current_period_end).toISOString()
    expect(shown.stripe?.nextPayment).toEqual({ dueAt: end, amountCents: 1000, creditCents: 0, currency: 'usd' })
    expect(shown.stripe?.card).toMatchObject({ brand: 'visa', last4: '4242' })
    const [invoice] = await invoicesOf(customer)
    expect(shown.stripe?.invoices).toEqual([
      expect.objectContaining({ amountCents: 1000, status: 'paid', url: invoice?.hosted_invoice_url }),
    ])
  })

  test('shows the stored plan while Stripe is down, without payments', async () => {
    const { user } = await subscriber()
    billing.proxy.outage = 'refused'
    const { status, body } = await billing.call('billing-overview', {}, user)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'active', plan: 'pro_monthly', stripe: null })
  })

  test('makes no call to Stripe for a user who never bought, and never shows another user’s invoices', async () => {
    await subscriber()
    const stranger = await billing.user()
    billing.proxy.calls.length = 0
    expect(await overview(stranger)).toMatchObject({
      status: 'none',
      plan: null,
      hasCustomer: false,
      stripe: { invoices: [], card: null },
    })
    expect(billing.proxy.calls).toEqual([])
  })

  test('shows the active promotion code and includes it in the next payment', async () => {
    const { user, subscription } = await subscriber()
    await billing.api.coupons.create({ id: `spring-${user.id}`, percent_off: 20, duration: 'forever' })
    const code = await billing.api.promotionCodes.create({
      promotion: { type: 'coupon', coupon: `spring-${user.id}` },
      code: `SPRING${Date.now()}`,
    })
    await billing.api.subscriptions.update(subscription.id, { discounts: [{ promotion_code: code.id }] })
    const { stripe } = await overview(user)
    expect(stripe?.discounts).toEqual([{ code: code.code, terms: '20% off', until: null }])
    expect(stripe?.nextPayment?.amountCents).toBe(800)
  })
})

describe('a switch', () => {
  test('charges the previewed amount to the cent, even if time passes in between', async () => {
    const { user, customer, subscription, clock } = await subscriber()
    const item = subscription.items.data[0]
    const start = at(item?.current_period_start).getTime()
    const half = new Date((start + at(item?.current_period_end).getTime()) / 2)
    await travel(billing.api, clock.id, half)
    const shown = await preview(user, 'team_monthly')
    expect(shown.dueTodayCents).toBeGreaterThanOrEqual(499)
    expect(shown.dueTodayCents).toBeLessThanOrEqual(501)
    expect(shown.nextAt).toBe(at(item?.current_period_end).toISOString())
    expect(changes()).toEqual([])

    await travel(billing.api, clock.id, new Date(half.getTime() + 20 * 60 * secondMs))
    const wanted = { priceId: billing.priceOf('team_monthly'), ...agreed(shown) }
    const { status, body } = await billing.call('switch-plan', { ...wanted, requestId: randomUUID() }, user)
    expect(status).toBe(200)
    expect(body).toMatchObject({ subscribed: true, product_id: billing.productOf('team_monthly') })
    expect((await billing.row(user))?.priceId).toBe(billing.priceOf('team_monthly'))
    expect((await invoicesOf(customer))[0]).toMatchObject({ amount_paid: shown.dueTodayCents, status: 'paid' })
  })

  test.each([
    { what: 'a permanent one', coupon: { percent_off: 20, duration: 'forever' }, monthly: 1600, yearly: 7920 },
    {
      what: 'one for the next payment only',
      coupon: { percent_off: 20, duration: 'once' },
      monthly: 1600,
      yearly: 9900,
    },
    {
      what: 'one for three months',
      coupon: { amount_off: 300, currency: 'usd', duration: 'repeating', duration_in_months: 3 },
      monthly: 1700,
      yearly: 9900,
    },
    { what: 'none', coupon: null, monthly: 2000, yearly: 9900 },
  ] as const)('shows what will be paid with the discount that runs: $what', async ({ coupon, monthly, yearly }) => {
    const { user, customer, subscription, clock } = await subscriber()
    if (coupon) {
      const { id } = await billing.api.coupons.create(coupon)
      await billing.api.subscriptions.update(subscription.id, { discounts: [{ coupon: id }] })
    }
    expect((await preview(user, 'pro_yearly')).nextCents).toBe(yearly)
    const shown = await preview(user, 'team_monthly')
    expect(shown.nextCents).toBe(monthly)
    const wanted = { priceId: billing.priceOf('team_monthly'), ...agreed(shown) }
    await billing.call('switch-plan', { ...wanted, requestId: randomUUID() }, user)
    await travel(billing.api, clock.id, new Date(new Date(shown.nextAt).getTime() + 2 * hourMs))
    expect((await invoicesOf(customer))[0]?.total).toBe(monthly)
  })

  test('to yearly starts a new year now, and back to monthly leaves a credit', async () => {
    const { user } = await subscriber()
    const toYear = await preview(user, 'pro_yearly')
    expect(toYear.dueTodayCents).toBeGreaterThanOrEqual(8900)
    expect(toYear.creditCents).toBe(0)
    const wanted = { priceId: billing.priceOf('pro_yearly'), ...agreed(toYear) }
    await billing.call('switch-plan', { ...wanted, requestId: randomUUID() }, user)
    const toMonth = await preview(user, 'pro_monthly')
    expect(toMonth).toMatchObject({ dueTodayCents: 0 })
    expect(toMonth.creditCents).toBeGreaterThan(8800)
    const back = { priceId: billing.priceOf('pro_monthly'), ...agreed(toMonth) }
    expect((await billing.call('switch-plan', { ...back, requestId: randomUUID() }, user)).status).toBe(200)
    expect((await overview(user)).stripe?.credit).toEqual({ amountCents: toMonth.creditCents, currency: 'usd' })
    expect(toMonth.nextAt).toBe((await billing.row(user))?.currentPeriodEnd?.toISOString())
  })

  test('is made and charged once when clicked twice or when the first response was lost', async () => {
    const { user, customer } = await subscriber()
    const shown = await preview(user, 'team_monthly')
    const body = {
      priceId: billing.priceOf('team_monthly'),
      ...agreed(shown),
      requestId: randomUUID(),
    }
    billing.proxy.failOnce(({ method, path }) => method === 'POST' && path.startsWith('/v1/subscriptions/'), 'after')
    const lost = await billing.call('switch-plan', body, user)
    expect(lost.status).toBe(502)
    // The switch was made, so the response must not say otherwise.
    expect(lost.body.error).not.toMatch(/nothing was changed/i)
    const again = await Promise.all([billing.call('switch-plan', body, user), billing.call('switch-plan', body, user)])
    expect(again.map(({ status }) => status)).toEqual([200, 200])
    expect(await invoicesOf(customer)).toHaveLength(2)
  })

  test('is refused if the amount differs from the preview', async () => {
    const { user, customer, subscription } = await subscriber()
    const toYear = await preview(user, 'pro_yearly')
    const toTeam = await preview(user, 'team_monthly')
    const go = async (plan: PlanKey, shown: SwitchPreview) =>
      billing.call('switch-plan', { priceId: billing.priceOf(plan), ...agreed(shown), requestId: randomUUID() }, user)
    const refused = { status: 400, body: { code: 'validation_failed', error: expect.stringContaining('amount') } }

    // Another tab with an older page.
    expect((await go('team_monthly', toTeam)).status).toBe(200)
    expect(await go('pro_yearly', toYear)).toMatchObject(refused)
    expect((await billing.row(user))?.priceId).toBe(billing.priceOf('team_monthly'))
    expect(await invoicesOf(customer)).toHaveLength(2)

    const discounted = await billing.api.coupons.create({ percent_off: 50, duration: 'forever' })
    await billing.api.subscriptions.update(subscription.id, { discounts: [{ coupon: discounted.id }] })
    const halved = await preview(user, 'pro_yearly')
    await billing.api.subscriptions.update(subscription.id, { discounts: '' })
    expect(await go('pro_yearly', halved)).toMatchObject(refused)

    const anew = await preview(user, 'pro_yearly')
    expect((await go('pro_yearly', anew)).status).toBe(200)
    expect((await invoicesOf(customer))[0]?.amount_paid).toBe(anew.dueTodayCents)
  })

  test('to an archived price is unavailable, both in the preview and in the switch', async () => {
    const { user } = await subscriber()
    const shown = await preview(user, 'pro_yearly')
    const priceId = billing.priceOf('pro_yearly')
    await billing.api.prices.update(priceId, { active: false })
    const unavailable = { status: 400, body: { code: 'plan_unavailable' } }
    try {
      expect(await billing.call('preview-switch', { priceId }, user)).toMatchObject(unavailable)
      const wanted = { priceId, ...agreed(shown), requestId: randomUUID() }
      expect(await billing.call('switch-plan', wanted, user)).toMatchObject(unavailable)
    } finally {
      await billing.api.prices.update(priceId, { active: true })
    }
  })

  test('with a declined card changes neither plan nor access nor the amount due', async () => {
    const { user, customer, subscription } = await subscriber()
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
    await syncCustomer(billing.deps, customer)
    const before = withoutSyncFields(await billing.row(user))
    const shown = await preview(user, 'pro_yearly')
    const wanted = { priceId: billing.priceOf('pro_yearly'), ...agreed(shown), requestId: randomUUID() }
    expect(await billing.call('switch-plan', wanted, user)).toMatchObject({
      status: 402,
      body: { code: 'payment_failed' },
    })
    expect(withoutSyncFields(await billing.row(user))).toEqual(before)
    const open = await billing.api.invoices.list({ customer, status: 'open' })
    expect(open.data).toEqual([])
  })

  test('to an unknown plan, with an old preview, or of a canceled plan is refused without a change', async () => {
    const { user } = await subscriber()
    const { prorationDate, dueTodayCents } = await preview(user, 'team_monthly')
    const priceId = billing.priceOf('team_monthly')
    const requestId = randomUUID()
    const refused = async (body: object) =>
      (await billing.call('switch-plan', { dueTodayCents, ...body }, user)).body.code
    expect(await refused({ priceId: '__proto__', prorationDate, requestId })).toBe('plan_unavailable')
    expect(await refused({ priceId, prorationDate: prorationDate - 86_400, requestId })).toBe('validation_failed')
    expect(await refused({ priceId, prorationDate: prorationDate + 86_400, requestId })).toBe('validation_failed')
    expect(changes()).toEqual([])
    await billing.call('cancel-plan', { requestId: randomUUID() }, user)
    expect(await refused({ priceId, prorationDate, requestId })).toBe('subscription_not_changeable')
  })
})

describe('B21 from the billing page:', () => {
  test('a plan is canceled with a reason, keeps access until its end, and is resumed', async () => {
    const { user, subscription } = await subscriber()
    const end = at(subscription.items.data[0]?.current_period_end)
    const leaving = { reason: 'too_expensive', comment: 'Next year again', requestId: randomUUID() }
    expect(await billing.call('cancel-plan', leaving, user)).toMatchObject({
      status: 200,
      body: { subscribed: true, subscription_end: end.toISOString() },
    })
    expect((await billing.api.subscriptions.retrieve(subscription.id)).cancellation_details).toMatchObject({
      feedback: 'too_expensive',
      comment: 'Next year again',
    })
    expect(await overview(user)).toMatchObject({ status: 'ending', endsAt: end.toISOString() })
    expect((await overview(user)).stripe?.nextPayment).toBeNull()

    expect((await billing.call('resume-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'active', endsAt: null })
    // A new decision gets a new request id, so Stripe doesn't replay yesterday's response.
    await billing.call('cancel-plan', { requestId: randomUUID() }, user)
    expect(await overview(user)).toMatchObject({ status: 'ending' })
  })

  test('an end date set in the portal can be undone too', async () => {
    const { user, customer, subscription } = await subscriber()
    await billing.api.subscriptions.update(subscription.id, { cancel_at: 'min_period_end' })
    await syncCustomer(billing.deps, customer)
    expect((await billing.call('resume-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect((await billing.row(user))?.cancelAt).toBeNull()
  })

  test('an ended plan cannot be resumed', async () => {
    const { user, subscription } = await subscriber()
    await billing.api.subscriptions.cancel(subscription.id)
    const answer = await billing.call('resume-plan', { requestId: randomUUID() }, user)
    expect(answer).toMatchObject({ status: 409, body: { code: 'subscription_not_changeable' } })
  })
})

describe('a failed renewal', () => {
  test('shows the amount due, the next attempt and the end of access, and a new card fixes it', async () => {
    const { user, customer, subscription } = await pastDue()
    const shown = await overview(user)
    expect(shown).toMatchObject({ status: 'past_due', stripe: { amountDue: { amountCents: 1000, currency: 'usd' } } })
    expect(shown.stripe?.amountDue?.nextAttemptAt).not.toBeNull()
    expect(shown.accessUntil).toBe((await billing.row(user))?.entitledUntil?.toISOString())

    const declined = await billing.call('pay-open-invoices', { requestId: randomUUID() }, user)
    expect(declined).toMatchObject({ status: 402, body: { code: 'payment_failed' } })
    expect(await overview(user)).toMatchObject({ status: 'past_due' })

    const { body } = await billing.call('update-card', {}, user)
    expect(String(body.url)).toMatch(/\/p\/session\//)
    const good = await attachCard(billing.api, customer)
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: good })
    const requestId = randomUUID()
    const tries = await Promise.all([1, 2].map(() => billing.call('pay-open-invoices', { requestId }, user)))
    expect(tries.map(({ status }) => status)).toEqual([200, 200])
    expect(await overview(user)).toMatchObject({ status: 'active', stripe: { amountDue: null } })
    const paid = (await invoicesOf(customer)).filter(({ status }) => status === 'paid')
    expect(paid).toHaveLength(2)
  })

  test('followed by a cancellation ends the plan immediately, without further attempts', async () => {
    const { user, customer, subscription, clock } = await pastDue()
    await billing.call('cancel-plan', { reason: 'unused', requestId: randomUUID() }, user)
    expect(await overview(user)).toMatchObject({ status: 'ended', plan: null })
    await travel(billing.api, clock.id, new Date(Date.now() + 50 * dayMs))
    expect((await billing.api.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
    expect((await invoicesOf(customer)).filter(({ status }) => status === 'paid')).toHaveLength(1)
  })
})

describe('every action', () => {
  const actions: [string, (user: TestUser) => object][] = [
    ['cancel-plan', () => ({ requestId: randomUUID() })],
    ['resume-plan', () => ({ requestId: randomUUID() })],
    ['pay-open-invoices', () => ({ requestId: randomUUID() })],
    ['update-card', () => ({})],
    [
      'switch-plan',
      () => ({
        priceId: billing.priceOf('team_monthly'),
        prorationDate: Math.floor(Date.now() / 1000),
        dueTodayCents: 0,
        requestId: randomUUID(),
      }),
    ],
  ]

  test.each(actions)('%s returns 502 while Stripe is down and changes nothing', async (name, body) => {
    const { user } = await subscriber()
    const before = withoutSyncFields(await billing.row(user))
    billing.proxy.outage = 'refused'
    const answer = await billing.call(name, body(user), user)
    expect(answer).toMatchObject({ status: 502, body: { code: 'stripe_unavailable' } })
    billing.proxy.outage = null
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect(withoutSyncFields(await billing.row(user))).toEqual(before)
  })

  test.each(actions)('%s requires step-up before it calls Stripe', async (name, body) => {
    const { user } = await subscriber()
    const then = billing.server.clock.now
    billing.server.clock.now = new Date(then.getTime() + 2 * hourMs)
    const answer = await billing.call(name, body(user), user)
    billing.server.clock.now = then
    expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(billing.proxy.calls).toEqual([])
  })

  test.each(actions)('%s is refused without a subscription and when signed out', async (name, body) => {
    const user = await billing.user()
    expect(await billing.call(name, body(user), user)).toMatchObject({
      status: 409,
      body: { code: 'no_billing_account' },
    })
    expect((await billing.call(name, body(user))).status).toBe(401)
    expect(billing.proxy.calls).toEqual([])
  })
})

test('a change succeeds even if the sync after it fails', async () => {
  const { user, customer } = await subscriber()
  const lists = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path.startsWith('/v1/subscriptions?')
  billing.proxy.failOnce(lists)
  expect((await billing.call('cancel-plan', { requestId: randomUUID() }, user)).status).toBe(200)
  await syncCustomer(billing.deps, customer)
  expect((await billing.row(user))?.cancelAt).not.toBeNull()
})
