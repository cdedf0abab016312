import { randomUUID } from 'node:crypto'
import { eq, sum } from 'drizzle-orm'
import type Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import { revenueChange, revenueInvoice, revenueMonthlyTotal, teamSeat } from '#server/db/schema/index.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, openBilling, startClock, travel } from './support.ts'

const billing = openForTests(() => openBilling())
let coaching: string
beforeEach(async () => {
  billing.server.jobs.length = 0
  billing.proxy.calls.length = 0
  coaching ||= (
    await billing.api.prices.create({
      currency: 'usd',
      unit_amount: 50_000,
      recurring: { interval: 'month' },
      product_data: { name: 'Coaching' },
    })
  ).id
})

/** Sandbox timestamps are in seconds, so the later purchase is made an hour later on a test clock. */
async function customer(): Promise<{ user: TestUser; customer: string; later: () => Promise<void> }> {
  const user = await billing.user()
  await billing.checkout(user)
  const id = await billing.customerOf(user)
  await attachCard(billing.api, id)
  const clock = await startClock(billing.api, id)
  let hours = 0
  const later = async () => {
    hours += 1
    await travel(billing.api, clock.id, new Date((clock.frozen_time + hours * 3600) * 1000))
  }
  return { user, customer: id, later }
}

const buy = (customerId: string, ...prices: string[]) =>
  billing.api.subscriptions.create({ customer: customerId, items: prices.map((price) => ({ price })) })
const plan = () => billing.priceOf('pro_monthly')
const read = (id: string) => billing.api.subscriptions.retrieve(id)
const refundedOf = async (id: string) =>
  (await billing.api.charges.list({ customer: id })).data.reduce((all, { amount_refunded: part }) => all + part, 0)
/** Write calls about a subscription to another product, which must never happen. */
const writesTo = (id: string) =>
  billing.proxy.calls.filter(({ method, path }) => method !== 'GET' && path.includes(`/v1/subscriptions/${id}`))
const overview = async (user: TestUser) =>
  (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview

async function expectUntouched(before: Stripe.Subscription) {
  const { latest_invoice: _first, ...facts } = before
  const { latest_invoice: _now, ...now } = await read(before.id)
  expect(now).toMatchObject({ ...facts, items: expect.anything(), metadata: facts.metadata })
  expect(now.items.data.map(({ price }) => price.id)).toEqual(before.items.data.map(({ price }) => price.id))
  expect(writesTo(before.id)).toEqual([])
}

describe('a subscription to another product', () => {
  test('that is newer than the plan is neither canceled nor refunded', async () => {
    const { user, customer: id, later } = await customer()
    const ours = await buy(id, plan())
    await later()
    const other = await buy(id, coaching)
    await syncCustomer(billing.deps, id)
    await expectUntouched(other)
    expect((await read(other.id)).status).toBe('active')
    expect(await refundedOf(id)).toBe(0)
    expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: ours.id, status: 'active' })
  })

  test('that is older than the plan does not turn the plan into a duplicate', async () => {
    const { user, customer: id, later } = await customer()
    const other = await buy(id, coaching)
    await later()
    const ours = await buy(id, plan())
    await syncCustomer(billing.deps, id)
    expect((await read(ours.id)).status).toBe('active')
    expect(await refundedOf(id)).toBe(0)
    expect(await billing.check(user)).toMatchObject({ subscribed: true, product_id: billing.productOf('pro_monthly') })
    await expectUntouched(other)
  })

  test('is not a plan: it gives no access, uses no trial and does not block a checkout', async () => {
    const { user, customer: id } = await customer()
    await billing.api.subscriptions.create({ customer: id, items: [{ price: coaching }], trial_period_days: 14 })
    await syncCustomer(billing.deps, id)
    expect(await billing.row(user)).toMatchObject({ status: 'none', stripeSubscriptionId: null, trialUsed: false })
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await billing.checkout(user)).toMatch(/\/c\/pay\//)
  })

  test('does not hide the end of the plan', async () => {
    const { user, customer: id, later } = await customer()
    const ours = await buy(id, plan())
    await later()
    const other = await buy(id, coaching)
    await billing.api.subscriptions.cancel(ours.id)
    await syncCustomer(billing.deps, id)
    expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: ours.id, status: 'canceled' })
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    await expectUntouched(other)
  })

  test('is not counted as revenue', async () => {
    const { customer: id, later } = await customer()
    await buy(id, coaching)
    await later()
    await buy(id, plan())
    await syncCustomer(billing.deps, id)
    const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, id))
    expect(changes).toMatchObject([{ plan: 'pro_monthly', kind: 'new', yearlyCents: 12_000 }])
    const invoices = await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, id))
    expect(invoices).toMatchObject([{ plan: 'pro_monthly', paidCents: 1000 }])
    const [other] = await billing.db
      .select({ count: sum(revenueMonthlyTotal.count) })
      .from(revenueMonthlyTotal)
      .where(eq(revenueMonthlyTotal.plan, 'other'))
    expect(Number(other?.count)).toBe(0)
  })

  test('is not on the billing page, nor are its unpaid invoices', async () => {
    const { user, customer: id } = await customer()
    const ours = await buy(id, plan())
    const other = await buy(id, coaching)
    await syncCustomer(billing.deps, id)
    const broken = await attachCard(billing.api, id, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(other.id, {
      default_payment_method: broken,
      items: [{ id: other.items.data[0]?.id ?? '', quantity: 2 }],
      proration_behavior: 'always_invoice',
    })
    const shown = await overview(user)
    expect(shown).toMatchObject({ status: 'active', plan: 'pro_monthly' })
    expect(shown.stripe?.invoices.map(({ amountCents }) => amountCents)).toEqual([1000])
    expect(shown.stripe?.amountDue).toBeNull()
    expect(shown.stripe?.nextPayment?.amountCents).toBe(1000)
    expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: ours.id, status: 'active' })
  })

  test('is skipped when comparing all subscriptions', async () => {
    const { user, customer: id } = await customer()
    const ours = await buy(id, plan())
    const other = await buy(id, coaching)
    await syncCustomer(billing.deps, id)
    billing.server.clock.advance(25 * 60 * 60 * 1000)
    await reconcile(billing.deps)
    expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: ours.id, status: 'active' })
    await expectUntouched(other)
  })

  test('keeps its open checkout when a plan is bought', async () => {
    const { user, customer: id } = await customer()
    const line = { price: coaching, quantity: 1 }
    const page = await billing.api.checkout.sessions.create({
      customer: id,
      mode: 'subscription',
      line_items: [line],
      success_url: 'https://coaching.example/thanks',
    })
    await billing.checkout(user, 'team_monthly')
    expect((await billing.api.checkout.sessions.retrieve(page.id)).status).toBe('open')
  })

  test('is kept after account deletion, with its customer', async () => {
    const { user, customer: id } = await customer()
    const ours = await buy(id, plan())
    const other = await buy(id, coaching)
    await syncCustomer(billing.deps, id)
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
    await runJobs()
    expect((await read(ours.id)).status).toBe('canceled')
    await expectUntouched(other)
    expect(await billing.api.customers.retrieve(id)).toMatchObject({ id, metadata: {} })
  })

  test('prevents a team transfer', async () => {
    const { user, customer: id } = await customer()
    const member = await billing.user()
    await buy(id, billing.priceOf('team_monthly'))
    const other = await buy(id, coaching)
    await syncCustomer(billing.deps, id)
    await billing.db.insert(teamSeat).values({ ownerId: user.id, userId: member.id, seat: 2, joinedAt: new Date() })
    const refused = await billing.call('transfer-team', { userId: member.id }, user)
    expect(refused).toMatchObject({ status: 409, body: { code: 'customer_has_other_products' } })
    expect(await billing.customerOf(user)).toBe(id)
    await expectUntouched(other)
  })

  test('is shown to admins with its name, amount and status, and never changed', async () => {
    const admin = await billing.user({ admin: true })
    const { user, customer: id } = await customer()
    const other = await buy(id, coaching)
    expect((await billing.call('admin-other-subscriptions', { userId: user.id }, admin)).body).toEqual({
      subscriptions: [
        {
          id: other.id,
          name: 'Coaching',
          status: 'active',
          amountCents: 50_000,
          currency: 'usd',
          interval: 'month',
          createdAt: new Date(other.created * 1000).toISOString(),
          endedAt: null,
          withPlan: false,
          url: expect.stringContaining(id),
        },
      ],
      duplicates: [],
    })
    expect((await billing.call('admin-other-subscriptions', { userId: user.id }, user)).status).toBe(403)
    await billing.call('admin-sync-customer', { userId: user.id }, admin)
    await expectUntouched(other)
    billing.proxy.outage = 'refused'
    const down = await billing.call('admin-other-subscriptions', { userId: user.id }, admin)
    billing.proxy.outage = null
    expect(down).toMatchObject({ status: 200, body: { subscriptions: null } })
  })
})

describe('a subscription that bills a plan together with another product', () => {
  const both = async () => {
    const bought = await customer()
    const mixed = await buy(bought.customer, coaching, plan())
    await syncCustomer(billing.deps, bought.customer)
    return { ...bought, mixed }
  }

  test('gives the plan’s access, and only the plan counts as revenue', async () => {
    const { user, customer: id, mixed } = await both()
    expect(await billing.check(user)).toMatchObject({ subscribed: true, product_id: billing.productOf('pro_monthly') })
    expect(await billing.row(user)).toMatchObject({ stripeSubscriptionId: mixed.id, priceId: plan() })
    const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, id))
    expect(changes).toMatchObject([{ plan: 'pro_monthly', yearlyCents: 12_000 }])
    const invoices = await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, id))
    expect(invoices).toMatchObject([{ plan: 'pro_monthly', dueCents: 1000, paidCents: 1000 }])
  })

  test('cannot be switched or canceled from our page, which explains why', async () => {
    const { user, mixed } = await both()
    const requestId = randomUUID()
    const price = { priceId: billing.priceOf('team_monthly') }
    for (const refused of [
      await billing.call('cancel-plan', { requestId }, user),
      await billing.call('preview-switch', price, user),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'subscription_not_changeable' } })
      expect(refused.body.error).toContain('billed together with another product')
    }
    await expectUntouched(mixed)
  })

  test('is kept when it is the newer of two plans, and admins get one email', async () => {
    const admin = await billing.user({ admin: true })
    const { user, customer: id, later } = await customer()
    await buy(id, plan())
    await later()
    const mixed = await buy(id, coaching, billing.priceOf('team_monthly'))
    for (let run = 0; run < 3; run += 1) await syncCustomer(billing.deps, id)
    await expectUntouched(mixed)
    expect(await refundedOf(id)).toBe(0)
    expect(await billing.row(user)).toMatchObject({ priceId: plan() })
    const reports = mailsTo(admin.email).filter(({ text }) => text.includes(mixed.id))
    expect(reports.map(({ subject }) => subject)).toEqual(['A member is paying for two plans'])
    expect(mailsTo(user.email).filter(({ subject }) => subject.includes('duplicate'))).toEqual([])
  })

  test('loses only our plan when the account is deleted', async () => {
    const { user, customer: id, mixed } = await both()
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
    await runJobs()
    await runJobs()
    const left = await read(mixed.id)
    expect(left).toMatchObject({ status: 'active', cancel_at: null })
    expect(left.items.data.map(({ price }) => price.id)).toEqual([coaching])
    expect(await refundedOf(id)).toBe(0)
    expect(await billing.api.customers.retrieve(id)).toMatchObject({ id })
    const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, id))
    expect(changes.reduce((all, { yearlyCents }) => all + yearlyCents, 0)).toBe(0)
  })
})

describe('a second plan', () => {
  const twice = async () => {
    const bought = await customer()
    const first = await buy(bought.customer, plan())
    await bought.later()
    const second = await buy(bought.customer, billing.priceOf('team_monthly'))
    return { ...bought, first, second }
  }
  const duplicateEmails = (user: TestUser) => mailsTo(user.email).filter(({ subject }) => subject.includes('duplicate'))

  test('is canceled and refunded with one email each to the user and the admins, however often it is synced', async () => {
    const admin = await billing.user({ admin: true })
    const { user, customer: id, second } = await twice()
    const nodes = Array.from({ length: 3 }, () => ({ ...billing.deps, database: { ...billing.deps.database } }))
    await Promise.all(nodes.map((node) => syncCustomer(node, id)))
    for (const node of nodes) await syncCustomer(node, id)
    expect((await read(second.id)).status).toBe('canceled')
    const [message, ...more] = duplicateEmails(user)
    expect(more).toEqual([])
    expect(message?.subject).toBe('We canceled a duplicate Front Counter plan')
    expect(message?.text.replaceAll(/\s+/g, ' ')).toContain(
      'We canceled the newer one, Team Monthly, and refunded the $20.00 you paid for it.',
    )
    expect(message?.text.replaceAll(/\s+/g, ' ')).toContain('Your first plan, Pro Monthly, stays active')
    const reports = mailsTo(admin.email).filter(({ text }) => text.includes(second.id))
    expect(reports.map(({ subject }) => subject)).toEqual(['We canceled a duplicate plan'])
    expect(reports[0]?.text.replaceAll(/\s+/g, ' ')).toContain('refunded $20.00')
    const shown = await billing.call('admin-other-subscriptions', { userId: user.id }, admin)
    expect(shown.body.duplicates).toMatchObject([
      { subscriptionId: second.id, plan: 'team_monthly', outcome: 'canceled', refundedCents: 2000 },
    ])
  })

  test.each([
    ['the refund', '/v1/refunds', 'POST'],
    ['the cancellation', '/v1/subscriptions/sub_', 'DELETE'],
  ])('is reported once if the server crashes right after %s', async (_step, start, verb) => {
    const { user, customer: id, second } = await twice()
    billing.proxy.failOnce(({ path, method }) => path.startsWith(start) && method === verb, 'after')
    await expect(syncCustomer(billing.deps, id)).rejects.toThrow()
    expect(duplicateEmails(user)).toEqual([])
    for (let run = 0; run < 2; run += 1) await syncCustomer(billing.deps, id)
    expect((await read(second.id)).status).toBe('canceled')
    expect(await refundedOf(id)).toBe(2000)
    expect(duplicateEmails(user)).toHaveLength(1)
  })

  test('that the user cancels is not a duplicate, whatever reason they enter', async () => {
    const { user, customer: id, first } = await twice()
    await billing.api.subscriptions.cancel(first.id)
    await syncCustomer(billing.deps, id)
    const comment = 'Duplicate of sub_whatever'
    await billing.call('cancel-plan', { requestId: randomUUID(), comment }, user)
    await syncCustomer(billing.deps, id)
    expect(duplicateEmails(user)).toEqual([])
  })
})

const mailsTo = (email: string) => billing.server.outbox.list(email)

async function runJobs() {
  const known = subscriptionsJobs(billing.deps).jobs
  for (const { name, payload } of billing.server.jobs) await known.find((job) => job.name === name)?.run(payload)
}
