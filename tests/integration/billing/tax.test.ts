import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { RevenueReport } from '#shared/contracts/billing/admin-billing.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import { planOf } from '#shared/domain/plans.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createGifts } from '../gifts/support.ts'
import { openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})
beforeEach(() => {
  billing.proxy.outage = null
})

const off = { enabled: false, included: false, taxIds: false, invoiceDays: null }
const stored = async () => (await billing.call('admin-plans', {}, owner)).body as StoredPlans
const save = async (settings: typeof off, version?: number) =>
  billing.call('admin-save-tax-settings', { settings, version: version ?? (await stored()).tax.version }, owner)
const idOf = (key: 'pro_monthly' | 'team_monthly') => idsOfPlan(billing.deps.config, key)?.priceId ?? ''
const priceId = () => idsOfPlan(billing.deps.config, 'pro_monthly')?.priceId ?? ''
const open = (user: TestUser) => billing.call('create-checkout', { priceId: priceId() }, user)
const comparedText = () => planOf(billing.deps.config.settings.publication, 'pro_monthly').comparedText

async function openSessions(user: TestUser) {
  const customer = await billing.customerOf(user)
  return (await billing.api.checkout.sessions.list({ customer, status: 'open' })).data
}

async function buy() {
  const user = await billing.user()
  const { status, body } = await open(user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  const { data } = await billing.api.invoices.list({ customer })
  const [invoice] = data
  if (!invoice) throw new Error('no invoice')
  return { user, invoice }
}

/** What is paid this month, and recurring revenue per month, without tax. */
async function revenue() {
  const { months } = (await billing.call('admin-revenue', {}, owner)).body as RevenueReport
  const { paidCents, mrrCents, refundedCents } = months.at(-1)?.total ?? { paidCents: 0, mrrCents: 0, refundedCents: 0 }
  return { paidCents, mrrCents, refundedCents }
}

async function grownSince(before: Awaited<ReturnType<typeof revenue>>) {
  const { paidCents, mrrCents } = await revenue()
  return { paidCents: paidCents - before.paidCents, mrrCents: mrrCents - before.mrrCents }
}

test('tax is off at first', async () => {
  expect((await stored()).tax).toEqual({ settings: { ...off, invoiceDays: null }, version: 0 })
  const { invoice } = await buy()
  expect([invoice.total, invoice.automatic_tax.enabled]).toEqual([1000, false])
  expect(comparedText()).toBe('$120 a year')
})

test('added tax is paid on top of the price, and isn’t revenue', async () => {
  const price = priceId()
  const before = await revenue()
  expect((await save({ ...off, enabled: true, taxIds: true })).status).toBe(200)
  expect(priceId()).toBe(price)
  expect(comparedText()).toBe('$120 a year, plus tax')

  const user = await billing.user()
  await open(user)
  expect(await openSessions(user)).toMatchObject([
    { amount_total: 1200, automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } },
  ])
  const { invoice } = await buy()
  expect(invoice).toMatchObject({ total: 1200, amount_paid: 1200, total_excluding_tax: 1000 })
  expect(await grownSince(before)).toEqual({ paidCents: 1000, mrrCents: 1000 })
})

test('a price that includes tax is another price at Stripe, and revenue is what’s left of it', async () => {
  const price = priceId()
  const before = await revenue()
  expect((await save({ ...off, enabled: true, included: true })).status).toBe(200)
  expect(priceId()).not.toBe(price)
  expect((await billing.api.prices.retrieve(priceId())).tax_behavior).toBe('inclusive')
  expect(comparedText()).toBe('$120 a year, tax included')
  const { invoice } = await buy()
  expect(invoice).toMatchObject({ total: 1000, amount_paid: 1000, total_excluding_tax: 833 })
  expect(await grownSince(before)).toEqual({ paidCents: 833, mrrCents: 833 })
})

test('a plan saved while tax is included gets a price that says so', async () => {
  const plan = (await stored()).items.find(({ key }) => key === 'pro_yearly')
  if (!plan) throw new Error('no plan')
  const { key, version, name, note, features, currency, interval, seats, trialDays } = plan
  const given = { key, version, name, note, features, currency, interval, seats, trialDays }
  const requestId = crypto.randomUUID()
  expect((await billing.call('admin-save-plan', { ...given, requestId, priceCents: 8800 }, owner)).status).toBe(200)
  const id = idsOfPlan(billing.deps.config, 'pro_yearly')?.priceId ?? ''
  expect(await billing.api.prices.retrieve(id)).toMatchObject({ unit_amount: 8800, tax_behavior: 'inclusive' })
})

test('a checkout that was opened with tax is closed after tax is turned off', async () => {
  const user = await billing.user()
  await open(user)
  expect((await save(off)).status).toBe(200)
  await open(user)
  expect(await openSessions(user)).toMatchObject([{ amount_total: 1000, automatic_tax: { enabled: false } }])
  expect(comparedText()).toBe('$120 a year')
})

test('nothing is stored while Stripe doesn’t answer, or for settings that someone else changed', async () => {
  const { tax } = await stored()
  billing.proxy.outage = 'refused'
  expect((await save({ ...off, enabled: true })).body.code).toBe('stripe_unavailable')
  billing.proxy.outage = null
  expect((await save({ ...off, enabled: true }, tax.version - 1)).body.code).toBe('edit_conflict')
  expect((await stored()).tax).toEqual(tax)
})

test('tax can’t be turned on before it’s set up at Stripe, and the answer says where', async () => {
  const settings = await billing.api.tax.settings.retrieve()
  const asked = vi.spyOn(billing.deps.stripe.tax.settings, 'retrieve')
  asked.mockResolvedValueOnce({ ...settings, status: 'pending' })
  const { tax } = await stored()
  const { status, body } = await save({ ...off, enabled: true })
  expect([status, body.error]).toEqual([400, expect.stringContaining('under Tax in Stripe’s dashboard')])
  expect((await stored()).tax).toEqual(tax)
})

test('a subscriber may not change the tax settings', async () => {
  const member = await billing.user()
  const { status } = await billing.call('admin-save-tax-settings', { settings: off, version: 0 }, member)
  expect(status).toBe(403)
})

describe('with tax that is added', () => {
  const gifts = () => createGifts(billing)
  const turnOn = async (included: boolean) => {
    expect((await save({ enabled: true, included, taxIds: true, invoiceDays: null })).status).toBe(200)
  }

  test('seats that are added in the middle of a period are taxed, and revenue grows without it', async () => {
    await turnOn(false)
    const { publication } = billing.deps.config.settings
    const perSeat = publication.plans.map((plan) =>
      plan.key === 'team_monthly' ? { ...plan, perSeat: true, seats: 2 } : plan,
    )
    billing.deps.config.settings.replace({ publication: { ...publication, plans: perSeat } })
    const user = await billing.user()
    const { body } = await billing.call('create-checkout', { priceId: idOf('team_monthly'), seats: 2 }, user)
    await payAtCheckout(String(body.url))
    const customer = await billing.customerOf(user)
    await syncCustomer(billing.deps, customer)
    const before = await revenue()
    const preview = (await billing.call('preview-seats', { seats: 3 }, user)).body as Record<string, number>
    const wanted = { seats: 3, prorationDate: preview.prorationDate, dueTodayCents: preview.dueTodayCents }
    const added = await billing.call('add-seats', { ...wanted, requestId: crypto.randomUUID() }, user)
    expect([added.status, added.body.error]).toEqual([200, undefined])
    const [invoice] = (await billing.api.invoices.list({ customer })).data
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', automatic_tax: { enabled: true } })
    expect(invoice?.total).toBe(Math.round((invoice?.total_excluding_tax ?? 0) * 1.2))
    expect(invoice?.amount_paid).toBe(preview.dueTodayCents)
    expect((await grownSince(before)).paidCents).toBe(invoice?.total_excluding_tax)
    await applyPlans(billing.db, billing.deps.config)
  })

  test.each([
    [false, 10_560, 8800, ', plus tax'],
    [true, 8800, 7333, ', tax included'],
  ])('a gift is taxed as plans are (tax included: %s)', async (included, paid, net, tax) => {
    await turnOn(included)
    await gifts().save()
    expect((await billing.call('gift-offer', {})).body.offer).toMatchObject({ amountCents: 8800, tax })
    const before = await revenue()
    const wanted = gifts().wanted({ amountCents: 8800 })
    const { body } = await billing.call('buy-gift', wanted)
    const { data } = await billing.api.checkout.sessions.list({ status: 'open', limit: 100 })
    const session = data.find(({ metadata }) => metadata?.gift_id === wanted.requestId)
    expect(session).toMatchObject({ automatic_tax: { enabled: true }, customer: null, amount_total: paid })
    const token = new URL(await payAtCheckout(String(body.url))).hash.replace('#gift=', '')
    const status = await billing.call('gift-status', { token })
    expect(status.body).toMatchObject({ state: 'sent', amountCents: paid })
    expect((await grownSince(before)).paidCents).toBe(net)
    await billing.call('admin-refund-gift', { id: wanted.requestId }, await billing.user({ admin: true }))
    expect((await billing.call('gift-status', { token })).body).toMatchObject({
      state: 'refunded',
      refundedCents: paid,
    })
    expect((await revenue()).refundedCents - before.refundedCents).toBe(net)
  })
})
