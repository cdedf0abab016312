import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, dayMs, openBilling, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())

const overview = async (user: TestUser) =>
  (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  return { user, customer, subscription }
}

/** A subscriber whose renewal failed with this card the given number of days ago, by the customer's test clock. */
async function unpaidFor(days: number, card: string) {
  const { user, customer, subscription } = await subscriber()
  const clock = await startClock(billing.api, customer)
  const broken = await attachCard(billing.api, customer, card)
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  await travel(billing.api, clock.id, new Date(end.getTime() + days * dayMs))
  await syncCustomer(billing.deps, customer)
  return user
}

describe('the billing page', () => {
  test('shows credit, invoices and the next payment in the customer’s currency', async () => {
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    const product = billing.productOf('pro_monthly')
    const terms = { product, unit_amount: 1000, recurring: { interval: 'month' } } as const
    const price = await billing.api.prices.create({ ...terms, currency: 'jpy' })
    await subscribe(billing.api, customer, price.id)
    await billing.api.customers.update(customer, { balance: -300 })
    await syncCustomer(billing.deps, customer)
    expect((await overview(user)).stripe).toMatchObject({
      credit: { amountCents: 300, currency: 'jpy' },
      invoices: [{ amountCents: 1000, currency: 'jpy' }],
      nextPayment: { amountCents: 700, creditCents: 300, currency: 'jpy' },
    })
  })

  test('shows when credit covers the whole next payment', async () => {
    const { user, customer } = await subscriber()
    await billing.api.customers.update(customer, { balance: -7900 })
    await syncCustomer(billing.deps, customer)
    expect((await overview(user)).stripe).toMatchObject({
      credit: { amountCents: 7900, currency: 'usd' },
      nextPayment: { amountCents: 0, creditCents: 1000, currency: 'usd' },
    })
  })

  test('shows how much of each invoice was refunded', async () => {
    const { user, customer } = await subscriber()
    const [charge] = (await billing.api.charges.list({ customer })).data
    await billing.api.refunds.create({ charge: charge?.id, amount: 400 })
    expect((await overview(user)).stripe?.invoices).toMatchObject([
      { amountCents: 1000, refundedCents: 400, status: 'paid' },
    ])
    await billing.api.refunds.create({ charge: charge?.id })
    // A refund in the Dashboard whose event hasn't arrived: the page is cached for three seconds.
    billing.server.clock.advance(4_000)
    expect((await overview(user)).stripe?.invoices).toMatchObject([{ amountCents: 1000, refundedCents: 1000 }])
  })

  test.each([
    { days: 6, over: false },
    { days: 8, over: true },
  ])('says $days days after a failed renewal whether the grace is over: $over', async ({ days, over }) => {
    const user = await unpaidFor(days, 'pm_card_chargeCustomerFail')
    expect(await overview(user)).toMatchObject({ status: 'past_due', graceEnded: over })
    expect(await billing.check(user)).toMatchObject({ subscribed: !over })
  })

  test('detects a customer deleted at Stripe without an event and shows that there is no plan', async () => {
    const { user, customer } = await subscriber()
    await billing.api.customers.del(customer)
    expect(await overview(user)).toMatchObject({
      status: 'none',
      plan: null,
      hasCustomer: false,
      stripe: { nextPayment: null, card: null, invoices: [] },
    })
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await billing.checkout(user)).toMatch(/\/c\/pay\/cs_/)
    expect(await billing.customerOf(user)).not.toBe(customer)
  })

  test('changes nothing while Stripe cannot confirm that the customer was deleted', async () => {
    const { user, customer } = await subscriber()
    await billing.api.customers.del(customer)
    billing.proxy.failOnce(({ path }) => path.startsWith('/v1/subscriptions?'))
    expect(await overview(user)).toMatchObject({ status: 'active', hasCustomer: true, stripe: null })
    expect(await billing.customerOf(user)).toBe(customer)
    expect(await overview(user)).toMatchObject({ status: 'none', hasCustomer: false })
  })

  test('sends users whose bank requires authentication to the invoice', async () => {
    const user = await unpaidFor(1, 'pm_card_authenticationRequired')
    expect(await billing.call('pay-open-invoices', { requestId: randomUUID() }, user)).toMatchObject({
      status: 402,
      body: { code: 'payment_failed', error: expect.stringMatching(/^Your bank wants you to confirm/) },
    })
    expect((await overview(user)).stripe?.invoices[0]).toMatchObject({ status: 'open', url: expect.any(String) })
  })
})
