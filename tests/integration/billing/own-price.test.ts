import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { adoptedPrice, subscriptionState } from '#server/db/schema/index.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { loadAdoptedPrices } from '#server/features/billing/subscriptions/sync/plan-subscriptions.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { BillingOverview } from '#shared/contracts/billing/billing.ts'
import type { MemberBilling } from '#shared/contracts/billing/member-billing.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { attachCard, dayMs, openBilling, secondMs, startClock, subscribe, travel } from './support.ts'

const billing = openForTests(() => openBilling())

const recurring = { interval: 'month' as const }

/** A price that counts as Pro Monthly, whose list price is $10. */
const prices = {
  'an adopted price of another product': async () => {
    const { id: product } = await billing.api.products.create({ name: 'Old newsletter' })
    const { id } = await billing.api.prices.create({ product, currency: 'usd', unit_amount: 700, recurring })
    const now = billing.deps.clock()
    await billing.db.insert(adoptedPrice).values({ priceId: id, plan: 'pro_monthly', createdAt: now })
    await loadAdoptedPrices(billing.deps, 0)
    return id
  },
  'an older price of our product': async () => {
    const product = billing.productOf('pro_monthly')
    return (await billing.api.prices.create({ product, currency: 'usd', unit_amount: 700, recurring })).id
  },
  'a price in yen, which has no cents': async () => {
    const product = billing.productOf('pro_monthly')
    return (await billing.api.prices.create({ product, currency: 'jpy', unit_amount: 700, recurring })).id
  },
}

describe.each([
  ['an adopted price of another product', '$7', '$7.00'],
  ['an older price of our product', '$7', '$7.00'],
  ['a price in yen, which has no cents', '¥700', '¥700'],
] as const)('a member with %s sees %s', (kind, amount, exact) => {
  test('on every page and in every email, and never the list price', async () => {
    const perMonth = `${amount} per month`
    const member = await billing.user()
    const owner = await billing.user({ admin: true })
    await billing.checkout(member)
    const customer = await billing.customerOf(member)
    const { id } = await subscribe(billing.api, customer, await prices[kind]())
    const clock = await startClock(billing.api, customer)
    await syncCustomer(billing.deps, customer)

    const overview = (await billing.call('billing-overview', {}, member)).body as BillingOverview
    expect(overview.price && formatPrice(overview.price)).toBe(perMonth)
    expect(overview.stripe?.nextPayment?.amountCents).toBe(700)
    expect((await billing.call('own-price', {}, member)).body).toEqual({ price: perMonth })
    expect((await billing.call('admin-entitlement', { userId: member.id }, owner)).body).toMatchObject({
      subscription: { plan: 'pro_monthly', price: perMonth },
    })
    const money = (await billing.call('admin-member-billing', { userId: member.id }, owner)).body as MemberBilling
    expect(money.totals).toMatchObject([{ paidCents: 700 }])
    const timeline = (await billing.call('admin-member-timeline', { userId: member.id }, owner)).body
    expect(JSON.stringify(timeline)).toContain(`Paid ${exact}`)
    expect(JSON.stringify(timeline)).not.toMatch(/\$10\b/)

    const sync = () => syncCustomer(billing.deps, customer)
    for (const cancel of [true, false, true]) {
      await billing.api.subscriptions.update(id, { cancel_at_period_end: cancel })
      await sync()
    }
    const end = (await billing.row(member))?.currentPeriodEnd ?? new Date(0)
    await travel(billing.api, clock.id, new Date(end.getTime() - 5 * dayMs))
    await sync()
    await enqueueScheduledNotices(billing.deps)
    await billing.api.subscriptions.update(id, { cancel_at_period_end: false })
    await sync()
    await billing.db
      .update(subscriptionState)
      .set({ cardExpiresAt: new Date(end.getTime() - 4 * dayMs) })
      .where(eq(subscriptionState.userId, member.id))
    await enqueueScheduledNotices(billing.deps)
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(id, { default_payment_method: broken })
    await travel(billing.api, clock.id, new Date(end.getTime() + 3 * 3_600 * secondMs))
    await sync()
    await travel(billing.api, clock.id, new Date(end.getTime() + 25 * dayMs))
    await sync()

    const emails = (await billing.server.outbox.list(member.email)).toReversed()
    expect(emails.map(({ subject }) => subject)).toEqual([
      'You’re in. Welcome to Front Counter',
      'Your Front Counter plan is canceled',
      'Your Front Counter plan continues',
      'Your Front Counter plan is canceled',
      expect.stringContaining('Your Front Counter plan ends on'),
      'Your Front Counter plan continues',
      'Your card for Front Counter expires soon',
      'Your Front Counter payment failed',
      'Your Front Counter plan has ended',
    ])
    for (const { subject, text, html } of emails) {
      // A canceled or ended plan isn’t charged again, so these emails have no amount.
      if (!/is canceled|ends on|has ended/.test(subject)) expect(`${subject}: ${text}`).toContain(perMonth)
      expect(text + html).not.toMatch(/\$10\b/)
    }
  })
})

test('the revenue report counts what they pay, not the list price', async () => {
  const owner = await billing.user({ admin: true })
  const { body } = await billing.call('admin-revenue', {}, owner)
  const { months } = body as { months: { total: { paidCents: number } }[] }
  expect(months.reduce((sum, { total }) => sum + total.paidCents, 0)).toBe(1400)
})
