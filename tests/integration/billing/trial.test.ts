import { beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, deliver, eventsOf, openBilling, payAtCheckout, startClock, travel } from './support.ts'

const billing = openForTests(() => openBilling())
beforeAll(async () => {
  billing.deps.config.trialDays = 14
})

const bring = async (customer: string) => {
  for (const event of await eventsOf(billing.api, customer)) await deliver(billing, event)
}

describe('B30: a trial', () => {
  test('is offered once: whoever has had one pays from the first day, also with another plan', async () => {
    const user = await billing.user()
    expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({ standing: 'none', trialDays: 14 })
    const url = await billing.checkout(user)
    const page = await (await fetch(url)).text()
    expect(page).toContain('14 days')
    await payAtCheckout(url)
    const customer = await billing.customerOf(user)
    await bring(customer)
    const [first] = (await billing.api.subscriptions.list({ customer, status: 'all' })).data
    expect(first).toMatchObject({ status: 'trialing' })
    expect((await billing.api.invoices.list({ customer })).data[0]?.amount_paid).toBe(0)
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({
      standing: 'trialing',
      trialDays: 0,
      atStripe: { next: { amountCents: 1000 } },
    })

    await billing.api.subscriptions.cancel(first?.id ?? '')
    await bring(customer)
    expect((await billing.row(user))?.trialUsed).toBe(true)
    const again = await billing.checkout(user, 'pro_yearly')
    expect(await (await fetch(again)).text()).not.toContain('14 days')
    await payAtCheckout(again)
    await bring(customer)
    expect(await billing.row(user)).toMatchObject({ status: 'active', trialUsed: true })
    expect((await billing.api.invoices.list({ customer })).data[0]?.amount_paid).toBe(9900)
  })

  test('stays used when its customer was deleted at Stripe', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    await bring(customer)
    await billing.api.customers.del(customer)
    await bring(customer)
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await (await fetch(await billing.checkout(user))).text()).not.toContain('14 days')
  })

  test('stays used when its customer was deleted before anybody had looked', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    await billing.api.customers.del(customer)
    await bring(customer)
    expect(await billing.row(user)).toMatchObject({ status: 'none', trialUsed: true })
    expect(await (await fetch(await billing.checkout(user))).text()).not.toContain('14 days')
  })

  test('stays used when its customer was deleted and nobody looks before the next checkout', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    await billing.api.customers.del(await billing.customerOf(user))
    expect(await (await fetch(await billing.checkout(user))).text()).not.toContain('14 days')
  })

  test('is told of three days before its end, and then charged', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    const clock = await startClock(billing.api, customer)
    await bring(customer)
    const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
    await travel(billing.api, clock.id, new Date(end.getTime() - 2 * dayMs))
    await bring(customer)
    expect(billing.server.outbox.list(user.email).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/trial ends on/),
    ])
    await travel(billing.api, clock.id, new Date(end.getTime() + 2 * 60 * 60 * 1000))
    await bring(customer)
    expect(await billing.row(user)).toMatchObject({ status: 'active' })
    expect((await billing.api.invoices.list({ customer })).data[0]?.amount_paid).toBe(1000)
  })

  test('can be switched to another plan without a charge, and goes on', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    await bring(customer)
    const priceId = billing.priceOf('team_monthly')
    const { body } = await billing.call('preview-switch', { priceId }, user)
    expect(body).toMatchObject({
      dueTodayCents: 0,
      nextCents: 2000,
      nextAt: (await billing.row(user))?.currentPeriodEnd?.toISOString(),
    })
    const wanted = { priceId, prorationDate: body.prorationDate, dueTodayCents: 0, requestId: crypto.randomUUID() }
    expect((await billing.call('switch-plan', wanted, user)).status).toBe(200)
    expect(await billing.row(user)).toMatchObject({ status: 'trialing', priceId })
    expect((await billing.api.invoices.list({ customer })).data.every(({ amount_paid }) => amount_paid === 0)).toBe(
      true,
    )
  })
})

test('without the setting nobody gets a trial', async () => {
  const server = await createTestApp()
  expect(server.deps.config.trialDays).toBe(0)
  await server.close()
})
