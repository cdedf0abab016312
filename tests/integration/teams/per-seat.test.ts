import { asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { revenueChange, sessions, teamSeat } from '#server/db/schema/index.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { lowerDueSeats } from '#server/features/billing/teams/seats/raise-and-lower-seats.ts'
import type { BillingOverview, SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { SeatsPreview, TeamView } from '#shared/contracts/billing/teams.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, dayMs, openBilling, payAtCheckout, secondMs, startClock, travel } from '../billing/support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser
let monthly: string
let yearly: string

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  admin = await billing.user({ admin: true })
  monthly = await createPlan({ name: 'Crew', priceCents: 900, seats: 2, perSeat: true })
  yearly = await createPlan({ name: 'Crew Yearly', priceCents: 9000, seats: 2, perSeat: true, interval: 'year' })
})
beforeEach(() => {
  billing.proxy.outage = null
})

const save = (more: object) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, note: '', features: [], currency: 'usd', interval: 'month', trialDays: null },
      ...{ requestId: crypto.randomUUID(), ...more },
    },
    admin,
  )

async function createPlan(more: object): Promise<string> {
  const requestId = crypto.randomUUID()
  const { status, body } = await save({ requestId, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  return `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
}

const priceOf = (key: string) => idsOfPlan(billing.deps.config, key)?.priceId ?? ''

/** An owner who paid for the seats at checkout, under a test clock at the start of the period. */
async function team(seats: number, key = monthly) {
  const user = await billing.user()
  const { status, body } = await billing.call('create-checkout', { priceId: priceOf(key), seats }, user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  const customer = await billing.customerOf(user)
  const clock = await startClock(billing.api, customer)
  const sync = () => syncCustomer(billing.deps, customer)
  await sync()
  const row = async () => {
    const found = await billing.row(user)
    if (!found) throw new Error('no row')
    return found
  }
  const { currentPeriodStart, currentPeriodEnd, stripeSubscriptionId } = await row()
  const start = currentPeriodStart ?? new Date(0)
  const end = currentPeriodEnd ?? new Date(0)
  const call = (name: string, input: object = {}) => billing.call(name, input, user)
  return {
    ...{ user, customer, row, sync, call, start, end, subscription: stripeSubscriptionId ?? '' },
    view: async () => ((await call('team')).body as TeamView).owned,
    preview: async (total: number) => {
      const answer = await call('preview-seats', { seats: total })
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      return answer.body as SeatsPreview
    },
    add: (total: number, { prorationDate, dueTodayCents }: SeatsPreview, requestId: string = crypto.randomUUID()) =>
      call('add-seats', { seats: total, prorationDate, dueTodayCents, requestId }),
    /** Other people with a seat, by seat number. */
    seat: async (...numbers: number[]) => {
      for (const seat of numbers) {
        const member = await billing.user()
        await billing.db
          .insert(teamSeat)
          .values({ ownerId: user.id, userId: member.id, seat, joinedAt: billing.deps.clock() })
      }
    },
    quantity: async () =>
      (await billing.api.subscriptions.retrieve(stripeSubscriptionId ?? '')).items.data[0]?.quantity,
    invoices: async () =>
      (await billing.api.invoices.list({ customer, limit: 100 })).data.map(({ total }) => total).toReversed(),
    async travelTo(at: Date) {
      await travel(billing.api, clock.id, at)
      await sync()
    },
    yearlyCents: async () =>
      (await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, customer))).reduce(
        (sum, { yearlyCents }) => sum + yearlyCents,
        0,
      ),
  }
}
type Team = Awaited<ReturnType<typeof team>>

const price = async ({ call }: Team) => {
  const { price: paid } = (await call('billing-overview')).body as BillingOverview
  return paid && formatPrice(paid)
}
const subjects = async ({ user }: Team) => billing.server.outbox.list(user.email).map(({ subject }) => subject)
const daysBefore = (at: Date, days: number) => new Date(at.getTime() - days * dayMs)
const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * 3600 * secondMs)

describe('buying', () => {
  test('the subscription has the chosen seats, and every page says what they cost', async () => {
    const one = await team(5)
    expect(await one.invoices()).toEqual([4500])
    expect(await price(one)).toBe('$45 per month for 5 seats')
    expect(await one.view()).toMatchObject({
      active: true,
      seats: { total: 5, taken: 1 },
      perSeat: { min: 2, price: { amountCents: 900 }, ending: null, renewsAt: one.end.toISOString() },
    })
    expect(await one.yearlyCents()).toBe(12 * 4500)
    const { body } = await billing.call('admin-member', { userId: one.user.id }, admin)
    expect(body).toMatchObject({ price: { amountCents: 4500, seats: 5 }, team: { seats: { total: 5, taken: 1 } } })
    expect(JSON.stringify(body.team)).not.toContain('perSeat')
  })

  test('a yearly team plan is bought, filled and shown like a monthly one', async () => {
    const one = await team(4, yearly)
    expect(await one.invoices()).toEqual([36_000])
    expect(await price(one)).toBe('$360 per year for 4 seats')
    expect(await one.yearlyCents()).toBe(36_000)
    expect(one.end.getUTCFullYear() - one.start.getUTCFullYear()).toBe(1)
  })

  test('without a number of seats, checkout sells the minimum, and fewer are refused', async () => {
    const user = await billing.user()
    const ask = (seats?: number) => billing.call('create-checkout', { priceId: priceOf(monthly), seats }, user)
    expect(await ask(1)).toMatchObject({ status: 400, body: { error: 'Crew has at least 2 seats. Choose 2 or more.' } })
    await payAtCheckout(String((await ask()).body.url))
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect((await billing.row(user))?.quantity).toBe(2)
  })

  test('another number of seats opens another checkout and closes the first; the same one returns it', async () => {
    const user = await billing.user()
    const ask = async (seats: number) =>
      String((await billing.call('create-checkout', { priceId: priceOf(monthly), seats }, user)).body.url)
    const first = await ask(3)
    expect(await ask(3)).toBe(first)
    const second = await ask(6)
    expect(second).not.toBe(first)
    await expect(payAtCheckout(first)).rejects.toThrow()
    await payAtCheckout(second)
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect((await billing.row(user))?.quantity).toBe(6)
  })

  test('seats of a plan with one price are ignored', async () => {
    const user = await billing.user()
    const { body } = await billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly'), seats: 9 }, user)
    await payAtCheckout(String(body.url))
    await syncCustomer(billing.deps, await billing.customerOf(user))
    expect(await billing.row(user)).toMatchObject({ quantity: 1, priceCents: 1000 })
  })
})

describe('adding seats', () => {
  test('charges the previewed rest of the period to the cent, once for a second click', async () => {
    const one = await team(3)
    await one.travelTo(daysBefore(one.end, 12))
    const cost = await one.preview(5)
    const whole = one.end.getTime() - one.start.getTime()
    const left = one.end.getTime() - cost.prorationDate * 1000
    const share = (cents: number) => Math.round((cents * left) / whole)
    expect(cost).toMatchObject({
      dueTodayCents: share(4500) - share(2700),
      nextCents: 4500,
      nextAt: one.end.toISOString(),
      currency: 'usd',
    })
    const requestId = crypto.randomUUID()
    const answers = [await one.add(5, cost, requestId), await one.add(5, cost, requestId)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await one.quantity()).toBe(5)
    expect(await one.invoices()).toEqual([2700, cost.dueTodayCents])
    expect(await price(one)).toBe('$45 per month for 5 seats')
    expect(await one.yearlyCents()).toBe(12 * 4500)
    expect((await one.view())?.seats).toEqual({ total: 5, taken: 1 })
    expect((await subjects(one)).filter((subject) => /seats/.test(subject))).toEqual(['Your team has 5 seats now'])
  })

  test('of two tabs, the second is told that the amount or the seats have changed', async () => {
    const one = await team(2)
    const [tabA, tabB] = [await one.preview(4), await one.preview(3)]
    expect((await one.add(4, tabA)).status).toBe(200)
    expect(await one.add(3, tabB)).toMatchObject({
      status: 400,
      body: { error: 'Your team has 4 seats now. Reload the page to see them.' },
    })
    const tabC = await one.preview(6)
    expect(await one.add(6, { ...tabC, dueTodayCents: tabC.dueTodayCents - 1 })).toMatchObject({
      status: 400,
      body: { error: 'The amount has changed. Review it and try again.' },
    })
    expect(await one.quantity()).toBe(4)
  })

  test('a declined card leaves the seats as they are', async () => {
    const one = await team(2)
    const cost = await one.preview(8)
    await billing.api.subscriptions.update(one.subscription, {
      default_payment_method: await attachCard(billing.api, one.customer, 'pm_card_chargeCustomerFail'),
    })
    expect(await one.add(8, cost)).toMatchObject({ status: 402, body: { code: 'payment_failed' } })
    expect(await one.quantity()).toBe(2)
    expect((await one.view())?.seats.total).toBe(2)
    expect(await one.invoices()).toEqual([1800])
  })

  test('if Stripe’s answer is lost, the retry charges nothing more', async () => {
    const one = await team(2)
    const cost = await one.preview(3)
    const requestId = crypto.randomUUID()
    const isUpdate = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === `/v1/subscriptions/${one.subscription}`
    for (let attempt = 0; attempt < 3; attempt += 1) billing.proxy.failOnce(isUpdate, 'after')
    expect((await one.add(3, cost, requestId)).status).toBe(502)
    expect((await one.add(3, cost, requestId)).status).toBe(200)
    expect(await one.invoices()).toEqual([1800, cost.dueTodayCents])
    expect((await one.row()).quantity).toBe(3)
  })

  test('is refused for a canceled plan and for a plan with a fixed number of seats', async () => {
    const one = await team(2)
    await billing.api.subscriptions.update(one.subscription, { cancel_at_period_end: true })
    expect(await one.call('preview-seats', { seats: 3 })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_changeable' },
    })
    const fixed = await billing.user()
    await payAtCheckout(await billing.checkout(fixed, 'team_monthly'))
    await syncCustomer(billing.deps, await billing.customerOf(fixed))
    const answer = await billing.call('preview-seats', { seats: 5 }, fixed)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('fixed number of seats')])
  })
})

describe('removing seats', () => {
  test('lowers them at the renewal, without a charge or a credit before', async () => {
    const one = await team(6)
    expect(await one.call('remove-seats', { seats: 4 })).toMatchObject({
      status: 200,
      body: { at: one.end.toISOString() },
    })
    expect((await one.call('remove-seats', { seats: 4 })).status).toBe(200)
    expect(await one.view()).toMatchObject({
      seats: { total: 4 },
      perSeat: { ending: { count: 2, at: one.end.toISOString() } },
    })
    const shown = (await one.call('billing-overview')).body as BillingOverview
    expect(shown.stripe?.nextPayment).toMatchObject({ amountCents: 3600 })
    // Until the renewal is near, Stripe and the revenue count what is paid.
    await one.travelTo(daysBefore(one.end, 5))
    await lowerDueSeats(billing.deps)
    expect([await one.quantity(), await one.yearlyCents()]).toEqual([6, 12 * 5400])
    await one.travelTo(daysBefore(one.end, 2))
    await lowerDueSeats(billing.deps)
    await lowerDueSeats(billing.deps)
    expect(await one.quantity()).toBe(4)
    expect((await one.view())?.perSeat?.ending).toEqual({ count: 2, at: one.end.toISOString() })
    await one.travelTo(hoursAfter(one.end, 2))
    expect(await one.invoices()).toEqual([5400, 3600])
    expect(await one.view()).toMatchObject({ seats: { total: 4 }, perSeat: { ending: null } })
    expect(await one.yearlyCents()).toBe(12 * 3600)
  })

  test('can’t go below the seats in use or the minimum, and moves members to lower seat numbers', async () => {
    const one = await team(6)
    await one.seat(2, 5, 6)
    expect(await one.call('remove-seats', { seats: 3 })).toMatchObject({
      status: 400,
      body: { error: '4 seats are in use. Remove 1 member first, or keep 4 seats.' },
    })
    expect(await one.call('remove-seats', { seats: 1 })).toMatchObject({
      status: 400,
      body: { error: 'Crew has at least 2 seats, so you can’t keep fewer.' },
    })
    expect((await one.call('remove-seats', { seats: 4 })).status).toBe(200)
    const numbers = await billing.db
      .select({ seat: teamSeat.seat })
      .from(teamSeat)
      .where(eq(teamSeat.ownerId, one.user.id))
      .orderBy(asc(teamSeat.seat))
    expect(numbers.map(({ seat }) => seat)).toEqual([2, 3, 4])
    // The seats that end can't be filled.
    expect(await one.call('invite-member', { email: 'new@example.test' })).toMatchObject({
      status: 409,
      body: { code: 'team_full' },
    })
  })

  test('is undone free of charge until the renewal, also after Stripe was told', async () => {
    const one = await team(5)
    await one.call('remove-seats', { seats: 3 })
    expect(await one.call('preview-seats', { seats: 8 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Keep them before you add more') },
    })
    await one.travelTo(daysBefore(one.end, 1))
    await lowerDueSeats(billing.deps)
    expect(await one.quantity()).toBe(3)
    expect((await one.call('keep-seats')).status).toBe(200)
    expect((await one.call('keep-seats')).status).toBe(200)
    expect(await one.quantity()).toBe(5)
    expect(await one.view()).toMatchObject({ seats: { total: 5 }, perSeat: { ending: null } })
    await one.travelTo(hoursAfter(one.end, 2))
    expect(await one.invoices()).toEqual([4500, 4500])
    expect((await subjects(one)).filter((subject) => /seats/.test(subject))).toEqual([])
  })

  test('that Stripe couldn’t be told before the renewal is credited in full', async () => {
    const one = await team(5)
    await one.call('remove-seats', { seats: 3 })
    await one.travelTo(daysBefore(one.end, 2))
    billing.proxy.outage = 'refused'
    await lowerDueSeats(billing.deps)
    billing.proxy.outage = null
    expect(await one.quantity()).toBe(5)
    await one.travelTo(hoursAfter(one.end, 3))
    await lowerDueSeats(billing.deps)
    await lowerDueSeats(billing.deps)
    expect(await one.quantity()).toBe(3)
    expect(await one.invoices()).toEqual([4500, 4500, -1800])
    expect(await one.view()).toMatchObject({ seats: { total: 3 }, perSeat: { ending: null } })
    expect(await one.yearlyCents()).toBe(12 * 2700)
  })

  test('is forgotten if the seats are changed at Stripe', async () => {
    const one = await team(5)
    await one.call('remove-seats', { seats: 3 })
    const item = (await billing.api.subscriptions.retrieve(one.subscription)).items.data[0]
    await billing.api.subscriptions.update(one.subscription, { items: [{ id: item?.id ?? '', quantity: 9 }] })
    await one.sync()
    await one.travelTo(daysBefore(one.end, 1))
    await lowerDueSeats(billing.deps)
    expect(await one.quantity()).toBe(9)
    expect((await one.view())?.perSeat?.ending).toBeNull()
  })
})

describe('switching', () => {
  const preview = async ({ call }: Team, key: string) =>
    (await call('preview-switch', { priceId: priceOf(key) })).body as SwitchPreview
  const switchTo = async (one: Team, key: string, { prorationDate, dueTodayCents, seats }: SwitchPreview) =>
    one.call('switch-plan', {
      ...{ priceId: priceOf(key), prorationDate, dueTodayCents, seats },
      requestId: crypto.randomUUID(),
    })

  test('between plans priced per seat keeps the seats', async () => {
    const one = await team(4)
    const cost = await preview(one, yearly)
    expect(cost).toMatchObject({ seats: 4, nextCents: 36_000 })
    expect((await switchTo(one, yearly, cost)).status).toBe(200)
    expect(await price(one)).toBe('$360 per year for 4 seats')
    expect((await one.invoices())[1]).toBe(cost.dueTodayCents)
    expect(await one.yearlyCents()).toBe(36_000)
  })

  test('from a plan with a fixed number of seats buys those in use, and back pays the one price', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user, 'team_monthly'))
    const customer = await billing.customerOf(user)
    await syncCustomer(billing.deps, customer)
    for (const seat of [2, 3]) {
      const member = await billing.user()
      await billing.db.insert(teamSeat).values({ ownerId: user.id, userId: member.id, seat, joinedAt: new Date() })
    }
    const call = (name: string, input: object) => billing.call(name, input, user)
    const cost = (await call('preview-switch', { priceId: priceOf(monthly) })).body as SwitchPreview
    expect(cost).toMatchObject({ seats: 3, nextCents: 2700 })
    // Someone joined meanwhile, so it would be another number.
    const outdated = { priceId: priceOf(monthly), ...cost, seats: 2, requestId: crypto.randomUUID() }
    expect((await call('switch-plan', outdated)).status).toBe(400)
    expect((await call('switch-plan', { ...outdated, seats: 3 })).status).toBe(200)
    expect(await billing.row(user)).toMatchObject({ quantity: 3, priceCents: 2700 })
    const priceId = billing.priceOf('team_monthly')
    const back = (await call('preview-switch', { priceId })).body as SwitchPreview
    expect(back).toMatchObject({ seats: null, nextCents: 2000 })
    expect((await call('switch-plan', { ...back, priceId, requestId: crypto.randomUUID() })).status).toBe(200)
    expect(await billing.row(user)).toMatchObject({ quantity: 1, priceCents: 2000 })
  })

  test('a subscriber who chooses a plan priced per seat gets our page instead of Stripe’s portal', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user, 'pro_monthly'))
    await syncCustomer(billing.deps, await billing.customerOf(user))
    const { body } = await billing.call('create-checkout', { priceId: priceOf(monthly), seats: 3 }, user)
    expect(body.url).toContain(`/account/billing?switch=${monthly}`)
  })
})

test('a plan can’t change between one price and a price per seat', async () => {
  const { version } = (
    (await billing.call('admin-plans', {}, admin)).body.items as { key: string; version: number }[]
  ).find(({ key }) => key === monthly) ?? { version: 0 }
  const given = { key: monthly, version, name: 'Crew', priceCents: 900, seats: 2 }
  expect(await save({ ...given, perSeat: false })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('Create another plan') },
  })
})

test('seats that were added before a renewal bring no more referral credit than the plan’s smallest team costs and was paid', async () => {
  const admin = await billing.user({ admin: true })
  const { version } = (await billing.call('admin-referrals', {}, admin)).body
  const settings = { enabled: true, maxPerYear: 12 }
  expect((await billing.call('admin-save-referral-settings', { settings, version }, admin)).status).toBe(200)
  const { user: referrer, customer, sync } = await team(2)
  const [subscription] = (await billing.api.subscriptions.list({ customer })).data
  await billing.api.subscriptions.update(String(subscription?.id), {
    items: [{ id: String(subscription?.items.data[0]?.id), quantity: 498 }],
    proration_behavior: 'none',
  })
  await sync()
  const { link } = (await billing.call('own-referrals', {}, referrer)).body
  const token = new URL(String(link)).hash.replace('#gift=', '')
  const referee = await billing.user()
  expect((await billing.call('accept-referral', { token }, referee)).status).toBe(200)
  const { body } = await billing.call('create-checkout', { priceId: priceOf(monthly), seats: 50 }, referee)
  await payAtCheckout(String(body.url), '5555 5555 5555 4444')
  await syncCustomer(billing.deps, await billing.customerOf(referee))
  for (const { id } of [referrer, referee]) {
    await billing.db.update(sessions).set({ ip: null, userAgent: id }).where(eq(sessions.userId, id))
  }
  await workOnReferrals(billing.deps)
  const creditsOf = async (of: string) =>
    (await billing.api.customers.listBalanceTransactions(of)).data.map(({ amount }) => amount)
  expect(await creditsOf(customer)).toEqual([-1800])
  expect(await creditsOf(await billing.customerOf(referee))).toEqual([-1800])
})

test('half off the next month is an amount: added seats cost what they cost, and a switch to a year isn’t halved', async () => {
  const { user, customer } = await team(2)
  const { body } = await billing.call('offer-to-stay', { reason: 'low_quality' }, user)
  const offer = body.offer as { id: string; kind: string }
  expect(offer).toMatchObject({ kind: 'discount', percentOff: 50 })
  const taking = { id: offer.id, kind: offer.kind, requestId: crypto.randomUUID() }
  expect((await billing.call('take-stay-offer', taking, user)).status).toBe(200)
  const discountOf = async () => {
    const [found] = (await billing.api.subscriptions.list({ customer, expand: ['data.discounts'] })).data
    const [discount] = found?.discounts ?? []
    const id = typeof discount === 'object' ? String(discount.source.coupon) : ''
    return id ? billing.api.coupons.retrieve(id) : null
  }
  expect(await discountOf()).toMatchObject({ amount_off: 900, percent_off: null, duration: 'once' })

  const preview = (await billing.call('preview-seats', { seats: 5 }, user)).body as SeatsPreview
  expect(preview).toMatchObject({ dueTodayCents: 2700, nextCents: 4500 - 900 })
  const wanted = { seats: 5, prorationDate: preview.prorationDate, dueTodayCents: 2700 }
  let stopsBeforeReturn = true
  const isReturn = ({ method, body }: { method: string; body: string }) =>
    stopsBeforeReturn && method === 'POST' && body.includes('coupon') && !body.includes('items')
  for (let attempt = 0; attempt < 9; attempt += 1) billing.proxy.failOnce(isReturn)
  expect((await billing.call('add-seats', { ...wanted, requestId: crypto.randomUUID() }, user)).status).toBe(200)
  // Stripe has just charged the seats, and has noted what the next sync puts back.
  expect(await discountOf()).toBeNull()
  stopsBeforeReturn = false
  await syncCustomer(billing.deps, customer)
  expect(await discountOf()).toMatchObject({ amount_off: 900 })
  expect((await billing.api.subscriptions.list({ customer })).data[0]?.metadata).not.toHaveProperty('stay_discount')
  const { prorationDate: then, dueTodayCents: due } = (await billing.call('preview-seats', { seats: 6 }, user)).body
  const more = { seats: 6, prorationDate: then, dueTodayCents: due, requestId: crypto.randomUUID() }
  expect((await billing.call('add-seats', more, user)).status).toBe(200)
  expect(due).toBe(900)
  expect(await discountOf()).toMatchObject({ amount_off: 900 })

  const change = (await billing.call('preview-switch', { priceId: priceOf(yearly) }, user)).body as SwitchPreview
  expect(change).toMatchObject({ dueTodayCents: 6 * 9000 - 6 * 900, nextCents: 6 * 9000 })
  const { prorationDate, dueTodayCents } = change
  const switching = { priceId: priceOf(yearly), prorationDate, dueTodayCents, seats: 6, requestId: crypto.randomUUID() }
  expect((await billing.call('switch-plan', switching, user)).status).toBe(200)
  expect(await discountOf()).toBeNull()
})

test('seats of a trial invite few people until the first payment', async () => {
  const trial = await createPlan({ name: 'Trial crew', priceCents: 900, seats: 2, perSeat: true, trialDays: 14 })
  const { user, customer } = await team(400, trial)
  const view = (await billing.call('team', {}, user)).body as TeamView
  expect(view).toMatchObject({ owned: { seats: { total: 5 } } })
  const answers = []
  for (let number = 0; number < 11; number += 1) {
    answers.push((await billing.call('invite-member', { email: `stranger-${number}@example.test` }, user)).status)
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(10)
  expect((await billing.api.subscriptions.list({ customer })).data[0]?.status).toBe('trialing')
})
