import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSecretBox } from '#server/config/secret-box.ts'
import { trialCardUsage, trialUsage, users } from '#server/db/schema/index.ts'
import { readTrialOffer } from '#server/features/billing/subscriptions/billing-overview.ts'
import { subscriptionsJobs } from '#server/features/billing/subscriptions/subscriptions.jobs.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { dayMs, deliver, eventsOf, openBilling, payAtCheckout, startClock, travel } from './support.ts'

const billing = openForTests(() => openBilling())
beforeAll(async () => {
  billing.deps.config.trialDays = 14
})
// All users pay with the same card, so reset its trial usage before each test.
beforeEach(() => billing.db.delete(trialCardUsage))

const bring = async (customer: string) => {
  for (const event of await eventsOf(billing.api, customer)) await deliver(billing, event)
}

describe('B30: a trial', () => {
  test('is offered once: later purchases, even of another plan, are charged immediately', async () => {
    const user = await billing.user()
    expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({ status: 'none', trialDays: 14 })
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
      status: 'trialing',
      trialDays: 0,
      stripe: { nextPayment: { amountCents: 1000 } },
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

  test('stays used when its customer was deleted before a sync', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    await billing.api.customers.del(customer)
    await bring(customer)
    expect(await billing.row(user)).toMatchObject({ status: 'none', trialUsed: true })
    expect(await (await fetch(await billing.checkout(user))).text()).not.toContain('14 days')
  })

  test('stays used when its customer was deleted and the next sync is the next checkout', async () => {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user))
    await billing.api.customers.del(await billing.customerOf(user))
    expect(await (await fetch(await billing.checkout(user))).text()).not.toContain('14 days')
  })

  test('sends a reminder three days before its end and is then charged', async () => {
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
      'You’re in. Welcome to Front Counter',
    ])
    await travel(billing.api, clock.id, new Date(end.getTime() + 2 * 60 * 60 * 1000))
    await bring(customer)
    expect(await billing.row(user)).toMatchObject({ status: 'active' })
    expect((await billing.api.invoices.list({ customer })).data[0]?.amount_paid).toBe(1000)
  })

  test('can be switched to another plan without a charge and continues', async () => {
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

describe('after account deletion, the trial stays used', () => {
  const address = () => `back-${crypto.randomUUID()}@example.test`
  const leave = async (user: TestUser) => {
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
  }
  /** Runs the jobs that the deletion enqueued. */
  const runJobs = async () => {
    const known = subscriptionsJobs(billing.deps).jobs
    for (const { name, payload } of billing.server.jobs.splice(0)) {
      await known.find((job) => job.name === name)?.run(payload)
    }
  }
  const takeTrial = async (user: TestUser) => {
    await payAtCheckout(await billing.checkout(user))
    const customer = await billing.customerOf(user)
    await bring(customer)
    expect((await billing.row(user))?.trialUsed).toBe(true)
  }
  const expectOffer = async (user: TestUser, days: number) => {
    expect((await billing.call('trial-offer', {}, user)).body).toEqual({ days })
    expect((await billing.call('billing-overview', {}, user)).body).toMatchObject({ trialDays: days })
    const page = await (await fetch(await billing.checkout(user))).text()
    expect(page.includes('14 days')).toBe(days > 0)
  }

  test('with the same address, in plans, billing page and checkout; another address gets one', async () => {
    const email = address()
    const user = await billing.user({ email })
    await takeTrial(user)
    await leave(user)
    await runJobs()
    await expectOffer(await billing.user({ email }), 0)
    await expectOffer(await billing.user({ email: `a${email}` }), 14)
  })

  test('even if its webhook never arrived', async () => {
    const email = address()
    const user = await billing.user({ email })
    await payAtCheckout(await billing.checkout(user))
    expect((await billing.row(user))?.trialUsed).toBe(false)
    await leave(user)
    await runJobs()
    await expectOffer(await billing.user({ email }), 0)
  })

  test('for the address at its start and for the last address of the account', async () => {
    const [first, last] = [address(), address()]
    const user = await billing.user({ email: first })
    await takeTrial(user)
    await billing.db.update(users).set({ email: last }).where(eq(users.id, user.id))
    await expectOffer(await billing.user({ email: first }), 0)
    await leave({ ...user, email: last })
    await runJobs()
    await expectOffer(await billing.user({ email: last }), 0)
  })

  test('even if it started before hashes were stored', async () => {
    const email = address()
    const user = await billing.user({ email })
    await takeTrial(user)
    await billing.db.delete(trialUsage)
    await leave(user)
    await expectOffer(await billing.user({ email }), 0)
  })

  test('but not if the checkout was left without starting it', async () => {
    const email = address()
    const user = await billing.user({ email })
    await billing.checkout(user)
    await leave(user)
    await runJobs()
    await expectOffer(await billing.user({ email }), 14)
  })

  test('after a rotation of the secret', async () => {
    const user = await billing.user({ email: address() })
    await takeTrial(user)
    await leave(user)
    const who = { userId: crypto.randomUUID(), email: user.email.toUpperCase() }
    const [old, next] = ['the secret of last year, long enough', 'the secret of this year, long enough']
    const underOld = createSecretBox(old)
    await billing.db.insert(trialUsage).values({ addressHash: underOld.sign('trial had', user.email) })
    const offer = (secrets: ReturnType<typeof createSecretBox>) => readTrialOffer({ ...billing.deps, secrets }, who)
    expect(await offer(createSecretBox(next, [old]))).toEqual({ days: 0 })
    expect(await offer(createSecretBox(next))).toEqual({ days: 14 })
  })

  test('storing only a hash, and nothing for users without a trial', async () => {
    await billing.db.delete(trialUsage)
    const user = await billing.user({ email: address() })
    await takeTrial(user)
    await leave(user)
    await leave(await billing.user({ email: address() }))
    await runJobs()
    const kept = await billing.db.select().from(trialUsage)
    expect(kept).toEqual([{ addressHash: expect.stringMatching(/^[\w-]{43}$/) }])
  })
})

test('without the setting there are no trials', async () => {
  const server = await createTestApp()
  expect(server.deps.config.trialDays).toBe(0)
  await server.close()
})
