import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  plan,
  purchaseConsent,
  referral,
  revenueChange,
  revenueInvoice,
  sessions,
  trialCardUsage,
} from '#server/db/schema/index.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { confirmWithdrawal, declareWithdrawal } from '#server/features/billing/withdrawals/withdraw.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import { findPlan } from '#shared/domain/plans.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, payAtCheckout, startClock, travel } from './support.ts'

const billing = openForTests(() => openBilling())
const mastercard = '5555 5555 5555 4444'
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})
beforeEach(() => billing.db.delete(trialCardUsage))

const form = (more: object) => ({
  ...{
    key: null,
    version: 0,
    name: 'Pro',
    note: '',
    features: [],
    priceCents: 2900,
    currency: 'usd',
    interval: 'month',
  },
  ...{ seats: 1, trialDays: 14, trialPriceCents: 100, requestId: crypto.randomUUID(), ...more },
})
const save = (more: object) => billing.call('admin-save-plan', form(more), owner)

async function sell(more: object = {}): Promise<Plan> {
  const requestId = crypto.randomUUID()
  const { status, body } = await save({ requestId, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  const key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  const plans = (await billing.call('plans', {})).body.plans as Plan[]
  return plans.find((one) => one.key === key) as Plan
}

const open = (user: TestUser, { priceId }: Plan, more: object = {}) =>
  billing.call('create-checkout', { priceId, ...more }, user)

async function buy(user: TestUser, plan: Plan, card?: string, more?: object) {
  const { status, body } = await open(user, plan, more)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url), card)
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  return customer
}

const invoicesOf = async (customer: string) => (await billing.api.invoices.list({ customer })).data
const refundedOf = async (customer: string) =>
  (await billing.api.charges.list({ customer })).data.reduce((sum, { amount_refunded: cents }) => sum + cents, 0)
/** Money received, without tax. */
const revenueOf = async (customer: string) =>
  (await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customer))).map((row) => [
    ...[row.plan, row.paidCents - row.paidTaxCents, row.refundedCents - row.refundedTaxCents],
  ])

test.each([
  [{ trialPriceCents: 49 }, /trial price of at least \$0.50/],
  [{ currency: 'jpy', trialPriceCents: 49 }, /trial price of at least ¥50/],
  [{ trialPriceCents: 0 }, /trial price of at least/],
  [{ trialPriceCents: 100.5 }, /./],
  [{ trialPriceCents: 2901 }, /more than the plan’s price/],
  [{ trialDays: null }, /Enter the days of the trial/],
  [{ trialDays: 0 }, /Enter the days of the trial/],
  [{ once: 'forever', trialDays: null }, /one-time purchase has no free trial/],
])('a trial price that can’t be charged is refused, and nothing is stored: %o', async (more, message) => {
  const count = await billing.db.$count(plan)
  const { status, body } = await save(more)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)])
  expect(await billing.db.$count(plan)).toBe(count)
})

test.each([
  ['usd', 2900, 100, '$1'],
  ['jpy', 3000, 150, '¥150'],
])(
  'a trial in %s is charged at once, counts as one-time money, and renews at the plan’s price',
  async (currency, priceCents, trialPriceCents, text) => {
    const sold = await sell({ currency, priceCents, trialPriceCents })
    const user = await billing.user()
    const customer = await buy(user, sold)
    expect(await billing.row(user)).toMatchObject({ status: 'trialing', priceCents })
    expect((await invoicesOf(customer)).map(({ amount_paid: cents }) => cents)).toEqual([trialPriceCents])
    const [consent] = await billing.db.select().from(purchaseConsent).where(eq(purchaseConsent.userId, user.id))
    expect(consent?.terms).toContain(`The first 14 days cost ${text}, once.`)
    expect(await revenueOf(customer)).toEqual([[sold.key, trialPriceCents, 0]])
    const changes = () => billing.db.$count(revenueChange, eq(revenueChange.customerId, customer))
    expect(await changes()).toBe(0)

    const clock = await startClock(billing.api, customer)
    await syncCustomer(billing.deps, customer)
    const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
    await travel(billing.api, clock.id, new Date(end.getTime() + dayMs / 12))
    await syncCustomer(billing.deps, customer, { afterPayment: true })
    expect(await billing.row(user)).toMatchObject({ status: 'active' })
    expect((await invoicesOf(customer)).map(({ amount_paid: cents }) => cents)).toEqual([priceCents, trialPriceCents])
    expect(await changes()).toBe(1)
  },
)

test('someone who had a trial pays the normal price, and the terms say so', async () => {
  const sold = await sell()
  const user = await billing.user()
  const customer = await buy(user, sold)
  const [subscription] = (await billing.api.subscriptions.list({ customer })).data
  await billing.api.subscriptions.cancel(String(subscription?.id))
  await syncCustomer(billing.deps, customer)
  await buy(user, sold)
  expect(await billing.row(user)).toMatchObject({ status: 'active' })
  expect((await invoicesOf(customer)).map(({ amount_paid: cents }) => cents)).toEqual([2900, 100])
  const consents = await billing.db.select().from(purchaseConsent).where(eq(purchaseConsent.userId, user.id))
  expect(consents.map(({ terms }) => terms.includes('already had a trial'))).toContain(true)
})

test('a second trial with the same card ends at once, and its price is refunded once', async () => {
  const sold = await sell()
  await buy(await billing.user(), sold, mastercard)
  const user = await billing.user()
  const customer = await buy(user, sold, mastercard)
  await syncCustomer(billing.deps, customer)
  expect(await billing.row(user)).toMatchObject({ status: 'canceled' })
  expect(await refundedOf(customer)).toBe(100)
  const email = billing.server.outbox.list(user.email).find(({ subject }) => subject.includes('didn’t start'))
  expect(email?.text).toContain('we’ve refunded it')
})

test('a plan per seat charges the trial once, and a chosen amount has the same trial', async () => {
  const seats = await sell({ perSeat: true, seats: 3 })
  const team = await buy(await billing.user(), seats, undefined, { seats: 5 })
  const [first] = await invoicesOf(team)
  expect(first?.amount_paid).toBe(100)
  await billing.db.delete(trialCardUsage)
  const chosen = await sell({ floorCents: 500 })
  const own = await buy(await billing.user(), chosen, undefined, { amountCents: 700 })
  expect((await invoicesOf(own)).map(({ amount_paid: cents }) => cents)).toEqual([100])
})

test('while a checkout is open, a second tab gets it, and a new trial price closes it', async () => {
  const sold = await sell()
  const user = await billing.user()
  const [first, second] = await Promise.all([open(user, sold), open(user, sold)])
  expect(second.body.url).toBe(first.body.url)
  expect((await save({ key: sold.key, version: 1, trialPriceCents: 200 })).status).toBe(200)
  const third = await open(user, sold)
  expect(third.body.url).not.toBe(first.body.url)
  await expect(payAtCheckout(String(first.body.url))).rejects.toThrow()
  await payAtCheckout(String(third.body.url))
  expect((await invoicesOf(await billing.customerOf(user)))[0]?.amount_paid).toBe(200)
})

test('an offer reduces the plan’s price and not the trial’s', async () => {
  const sold = await sell()
  const offer = {
    ...{ code: 'HALF-OFF', percentOff: 50, amountOffCents: null, duration: 'once', months: null, plans: [sold.key] },
    ...{ maxRedemptions: null, lastDay: null, newCustomersOnly: false, requestId: crypto.randomUUID() },
  }
  expect((await billing.call('admin-create-offer', offer, owner)).status).toBe(200)
  const user = await billing.user()
  const customer = await buy(user, sold, undefined, { offer: 'HALF-OFF' })
  const clock = await startClock(billing.api, customer)
  await travel(billing.api, clock.id, new Date((clock.frozen_time + 15 * 86_400) * 1000))
  expect((await invoicesOf(customer)).map(({ amount_paid: cents }) => cents)).toEqual([1450, 100])
})

test('a withdrawal during the trial refunds its price, and a refund by staff leaves the trial', async () => {
  const sold = await sell()
  const user = await billing.user()
  const customer = await buy(user, sold)
  await declareWithdrawal(billing.deps, 'Ana Silva', user.email)
  const token = /token=([^\s"]+)/.exec(billing.server.outbox.list(user.email)[0]?.text ?? '')?.[1] ?? ''
  await confirmWithdrawal(billing.deps, token, `plan:${(await billing.row(user))?.stripeSubscriptionId}`)
  expect(await refundedOf(customer)).toBe(100)
  expect(await billing.check(user)).toMatchObject({ subscribed: false })
  expect(await revenueOf(customer)).toEqual([[sold.key, 100, 100]])

  await billing.db.delete(trialCardUsage)
  const other = await billing.user()
  const otherCustomer = await buy(other, sold)
  const [invoice] = await invoicesOf(otherCustomer)
  const refund = { userId: other.id, invoiceId: invoice?.id, amountCents: 100, refundedCents: 0 }
  const { status } = await billing.call('admin-refund-invoice', { ...refund, requestId: crypto.randomUUID() }, owner)
  expect([status, await refundedOf(otherCustomer)]).toEqual([200, 100])
  expect(await billing.row(other)).toMatchObject({ status: 'trialing' })
})

test('the price of a trial isn’t the payment that brings a referral its month', async () => {
  const sold = await sell()
  const [referrer, referee] = [await billing.user(), await billing.user()]
  await billing.db.update(sessions).set({ ip: '203.0.113.9' }).where(eq(sessions.userId, referee.id))
  await buy(referee, sold, mastercard)
  const createdAt = new Date(Date.now() - dayMs)
  await billing.db
    .insert(referral)

    .values({ id: crypto.randomUUID(), referrerId: referrer.id, refereeId: referee.id, state: 'pending', createdAt })
  await workOnReferrals(billing.deps)
  expect(await billing.db.select().from(referral)).toMatchObject([{ state: 'pending' }])
  const customer = await billing.customerOf(referee)
  const clock = await startClock(billing.api, customer)
  await travel(billing.api, clock.id, new Date((clock.frozen_time + 15 * 86_400) * 1000))
  await syncCustomer(billing.deps, customer, { afterPayment: true })
  await workOnReferrals(billing.deps)
  expect(await billing.db.select().from(referral)).toMatchObject([{ state: 'rewarded', refereeCents: 2900 }])
})

test('added tax is paid on the trial’s price, and isn’t revenue', async () => {
  const settings = { enabled: true, included: false, taxIds: false }
  const version = async () => (await billing.call('admin-plans', {}, owner)).body as { tax: { version: number } }
  const { tax } = await version()
  expect((await billing.call('admin-save-tax-settings', { settings, version: tax.version }, owner)).status).toBe(200)
  const sold = await sell({ trialPriceCents: 1000 })
  const customer = await buy(await billing.user(), sold)
  const [invoice] = await invoicesOf(customer)
  expect(invoice?.amount_paid).toBeGreaterThan(1000)
  expect(await revenueOf(customer)).toEqual([[sold.key, 1000, 0]])
  expect(findPlan(billing.deps.config.settings.publication, sold.key)?.comparedText).toContain('plus tax')
  const next = (await version()).tax.version
  const off = { enabled: false, included: false, taxIds: false }
  expect((await billing.call('admin-save-tax-settings', { settings: off, version: next }, owner)).status).toBe(200)
})
