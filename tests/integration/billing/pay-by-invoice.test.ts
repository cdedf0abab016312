import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { purchaseConsent } from '#server/db/schema/index.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { TeamView } from '#shared/contracts/billing/teams.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, openBilling, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())
let admin: TestUser

const saveDays = async (invoiceDays: number | null) => {
  const { body } = await billing.call('admin-plans', {}, admin)
  const { version } = body.tax as { version: number }
  const settings = { enabled: false, included: false, taxIds: false, invoiceDays }
  return billing.call('admin-save-tax-settings', { settings, version }, admin)
}

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  admin = await billing.user({ admin: true })
  expect(await saveDays(30)).toMatchObject({ status: 200 })
})

let count = 0
function buyer(more: object = {}) {
  count += 1
  return billing.user({ email: `boss${count}@fern-cafe.test`, ...more })
}

const start = (user: TestUser, more: object = {}) =>
  billing.call(
    'start-invoiced-plan',
    {
      ...{ priceId: billing.priceOf('team_monthly'), companyName: 'Fern Cafe LLC', poNumber: 'PO-7', taxId: null },
      ...{ replaces: null, ...more },
    },
    user,
  )

const overview = async (user: TestUser) => {
  billing.server.clock.advance(4_000)
  return (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview
}

/** A company with a sent invoice, under a test clock. */
async function company() {
  const user = await buyer()
  const { status, body } = await start(user)
  expect([status, body.error]).toEqual([200, undefined])
  const customer = await billing.customerOf(user)
  const clock = await startClock(billing.api, customer)
  const dueAt = new Date(String(body.dueAt))
  return {
    ...{ user, customer, dueAt, url: String(body.url) },
    at: async (time: Date) => {
      await travel(billing.api, clock.id, time)
      await syncCustomer(billing.deps, customer)
    },
    invoices: async () => (await billing.api.invoices.list({ customer })).data,
  }
}

/** Pays on the invoice's page by bank debit. */
async function debit(url: string, account: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page) ?? []
  await fetch(url, { method: 'POST', body: new URLSearchParams({ csrf, account }), redirect: 'manual' })
}
const pays = '000123456789'
const fails = '000222222227'
const later = (time: Date, ms: number) => new Date(time.getTime() + ms)

describe('starting', () => {
  test('sends an invoice with the details, gives access at once, and few seats until it is paid', async () => {
    const { user, invoices, dueAt } = await company()
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect(dueAt.getTime() - Date.now()).toBeGreaterThan(29 * dayMs)
    const [invoice] = await invoices()
    expect(invoice).toMatchObject({
      ...{ status: 'open', collection_method: 'send_invoice', customer_name: 'Fern Cafe LLC', amount_due: 2000 },
      custom_fields: [{ name: 'PO number', value: 'PO-7' }],
    })
    expect((await overview(user)).stripe).toMatchObject({
      paysByInvoice: true,
      invoices: [{ status: 'open', dueAt: dueAt.toISOString(), isProcessing: false }],
    })
    const events = await billing.api.events.list({ types: ['invoice.sent'] })
    expect(events.data.map(({ data }) => (data.object as { id: string }).id)).toContain(invoice?.id)
    const consents = await billing.db.select().from(purchaseConsent).where(eq(purchaseConsent.userId, user.id))
    expect(consents).toHaveLength(1)
  })

  test('five at once, and once more, start one plan with one invoice', async () => {
    const user = await buyer()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => start(user)))
    const again = await start(user)
    expect([...answers, again].map(({ status, body }) => [status, body.url])).toEqual(
      Array(6).fill([200, again.body.url]),
    )
    const customer = await billing.customerOf(user)
    expect((await billing.api.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
    expect((await billing.api.invoices.list({ customer })).data).toHaveLength(1)
  })

  test.each([
    ['an unconfirmed address', { confirmed: false }, {}, 'address_not_confirmed'],
    ['an address that anyone can get', { email: 'someone@gmail.com' }, {}, 'validation_failed'],
    ['a plan for one person', {}, { priceId: 'pro_monthly' }, 'plan_unavailable'],
    ['no company name', {}, { companyName: ' ' }, 'validation_failed'],
    ['a tax id that can’t exist', {}, { taxId: { type: 'us_ein', value: '1' } }, 'tax_id_invalid'],
  ] as const)('is refused for %s, and nothing is bought', async (_what, person, given, code) => {
    const user = await buyer(person)
    const price = 'priceId' in given ? { priceId: billing.priceOf('pro_monthly') } : {}
    expect((await start(user, { ...given, ...price })).body.code).toBe(code)
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
  })

  test('is refused while the publisher doesn’t offer it, and for someone with a plan', async () => {
    await saveDays(null)
    expect((await start(await buyer())).body.code).toBe('plan_unavailable')
    expect((await saveDays(6)).status).toBe(400)
    await saveDays(30)
    const user = await buyer()
    await billing.checkout(user)
    await subscribe(billing.api, await billing.customerOf(user), billing.priceOf('pro_monthly'))
    expect((await start(user)).body.code).toBe('subscription_not_changeable')
  })
})

describe('an invoice that isn’t paid', () => {
  test.each([
    ['a second before its due date', -1000, 'active', true],
    ['on its due date', 1000, 'past_due', true],
    ['almost seven days later', 7 * dayMs - 60_000, 'past_due', true],
    ['seven days later', 7 * dayMs, 'past_due', false],
    ['sixteen days later', 16 * dayMs, 'canceled', false],
  ])('%s', async (_when, ms, status, subscribed) => {
    const { user, at, dueAt } = await company()
    await at(later(dueAt, ms))
    expect((await billing.row(user))?.status).toBe(status)
    expect(await billing.check(user)).toMatchObject({ subscribed })
  })

  test('keeps its account from another one, until it is paid', async () => {
    const { user, at, dueAt, invoices } = await company()
    await at(later(dueAt, 16 * dayMs))
    expect((await start(user)).body.code).toBe('invoice_open')
    for (const open of await invoices()) await debit(String(open.hosted_invoice_url), pays)
    await at(later(dueAt, 21 * dayMs))
    expect(await start(user)).toMatchObject({ status: 200 })
  })
})

describe('a bank debit', () => {
  test('is neither paid nor failed while it is processing, and can’t be paid again; then it is paid', async () => {
    const { user, at, url, invoices, customer } = await company()
    await debit(url, pays)
    const { stripe } = await overview(user)
    expect(stripe).toMatchObject({ amountDue: null, invoices: [{ status: 'open', isProcessing: true }] })
    const [invoice] = await invoices()
    const card = await billing.api.paymentMethods.attach('pm_card_visa', { customer })
    await expect(billing.api.invoices.pay(invoice?.id ?? '', { payment_method: card.id })).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    await at(new Date(Date.now() + 5 * dayMs))
    expect((await invoices())[0]?.status).toBe('paid')
    expect((await billing.row(user))?.invoiceDueAt).toBeNull()
    expect((await overview(user)).stripe).toMatchObject({ invoices: [{ status: 'paid', isProcessing: false }] })
  })

  test('that fails leaves the invoice open until its due date', async () => {
    const { user, at, url, invoices } = await company()
    await debit(url, fails)
    await at(new Date(Date.now() + 5 * dayMs))
    expect((await invoices())[0]).toMatchObject({ status: 'open', attempted: true })
    expect((await billing.row(user))?.status).toBe('active')
    expect((await overview(user)).stripe).toMatchObject({ amountDue: { amountCents: 2000 } })
  })

  test('after the due date brings access back', async () => {
    const { user, at, dueAt, url } = await company()
    await at(later(dueAt, 8 * dayMs))
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    await debit(url, pays)
    await at(later(dueAt, 13 * dayMs))
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
  })
})

test('a switch, more seats and a pause are refused with a sentence; canceling works', async () => {
  const { user } = await company()
  const sentence = /^Your plan is paid by invoice/
  const requestId = crypto.randomUUID()
  for (const [name, input] of [
    ['preview-switch', { priceId: billing.priceOf('pro_monthly') }],
    ['preview-seats', { seats: 5 }],
    ['pause-plan', { months: 1, requestId }],
  ] as const) {
    expect((await billing.call(name, input, user)).body.error, name).toMatch(sentence)
  }
  expect((await billing.call('cancel-plan', { requestId }, user)).status).toBe(200)
  expect(await overview(user)).toMatchObject({ status: 'ending' })
})

test('a plan that is paid by invoice has five seats until the first payment', async () => {
  const requestId = crypto.randomUUID()
  const plan = { name: 'Ten', note: '', features: [], priceCents: 9000, currency: 'usd', interval: 'month', seats: 10 }
  await billing.call('admin-save-plan', { key: null, version: 0, trialDays: null, requestId, ...plan }, admin)
  const key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  const { plans } = (await billing.call('plans', {})).body as { plans: { key: string; priceId: string }[] }
  const user = await buyer()
  const { body } = await start(user, { priceId: plans.find((one) => one.key === key)?.priceId })
  const seats = async () => ((await billing.call('team', {}, user)).body as TeamView).owned?.seats.total
  expect(await seats()).toBe(5)
  const customer = await billing.customerOf(user)
  const clock = await startClock(billing.api, customer)
  await debit(String(body.url), pays)
  await travel(billing.api, clock.id, new Date(Date.now() + 5 * dayMs))
  await syncCustomer(billing.deps, customer)
  expect(await seats()).toBe(10)
})
