import { expect, test } from 'vitest'
import { billingNotice, type subscriptionState } from '#server/db/schema/index.ts'
import { sendTimedNotices } from '#server/features/billing/send-notices.ts'
import { syncCustomer } from '#server/features/billing/sync-customer.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  attachCard,
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  secondMs,
  startClock,
  subscribe,
  travel,
} from './support.ts'

const billing = openForTests(() => openBilling())

const hourMs = 3_600 * secondMs

async function subscriber() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  const clock = await startClock(billing.api, customer)
  await syncCustomer(billing.deps, customer)
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  const breakCard = async () => {
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
  }
  return { user, customer, subscription, clock, end, breakCard }
}

const mailsTo = (user: TestUser) => billing.server.outbox.list(user.email)
const subjects = async (user: TestUser) => (await mailsTo(user)).map(({ subject }) => subject).toReversed()

/** Each event several times and in any order, as the worst of networks brings them. */
async function deliverShuffled(customer: string) {
  const events = await eventsOf(billing.api, customer)
  const order = [...events, ...events, ...events].toSorted(() => Math.random() - 0.5)
  for (let at = 0; at < order.length; at += 8) {
    await Promise.all(order.slice(at, at + 8).map((event) => deliver(billing, event)))
  }
}

test('a failed renewal is told once, with the way to repair it and no key to the portal; paid, it is told once more', async () => {
  const { user, customer, subscription, clock, end, breakCard } = await subscriber()
  await breakCard()
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * hourMs))
  await deliverShuffled(customer)
  await syncCustomer({ ...billing.deps, database: { ...billing.deps.database } }, customer)
  expect(await subjects(user)).toEqual(['We could not charge your card for Front Counter'])
  const [mail] = await mailsTo(user)
  expect(mail?.text).toContain(`${billing.deps.config.publicUrl}/account/billing`)
  expect(mail?.text).not.toMatch(/\/p\/session|invoice|pm_|cus_|sub_/)
  expect(mail?.html).not.toMatch(/\/p\/session|cus_|sub_/)

  // The second try fails as well: the same failure.
  await travel(billing.api, clock.id, new Date(end.getTime() + 4 * dayMs))
  await deliverShuffled(customer)
  expect(await subjects(user)).toHaveLength(1)

  const good = await attachCard(billing.api, customer)
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: good })
  const [open] = (await billing.api.invoices.list({ customer, status: 'open' })).data
  await billing.api.invoices.pay(open?.id ?? '')
  await deliverShuffled(customer)
  expect(await subjects(user)).toEqual([
    'We could not charge your card for Front Counter',
    'Your Front Counter plan is active again',
  ])
})

test('a plan that is given up ends with one mail, and a new one brings "active again"', async () => {
  const { user, customer, clock, end, breakCard } = await subscriber()
  await breakCard()
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * hourMs))
  await deliverShuffled(customer)
  await travel(billing.api, clock.id, new Date(end.getTime() + 20 * dayMs))
  await deliverShuffled(customer)
  expect(await subjects(user)).toEqual([
    'We could not charge your card for Front Counter',
    'Your Front Counter plan has ended',
  ])
  await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await deliverShuffled(customer)
  expect((await subjects(user)).at(-1)).toBe('Your Front Counter plan is active again')
  expect(await subjects(user)).toHaveLength(3)
})

test('a set end is told a week before, resumed and set again it is told again, and nobody hears it twice', async () => {
  const { user, customer, subscription, clock, end } = await subscriber()
  await billing.api.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await deliverShuffled(customer)
  await sendTimedNotices(billing.deps)
  expect(await subjects(user)).toEqual([])
  await travel(billing.api, clock.id, new Date(end.getTime() - 5 * dayMs))
  await syncCustomer(billing.deps, customer)
  await Promise.all([sendTimedNotices(billing.deps), sendTimedNotices(billing.deps)])
  expect(await subjects(user)).toEqual([expect.stringMatching(/^Your Front Counter plan ends on /)])
  await travel(billing.api, clock.id, new Date(end.getTime() + hourMs))
  await deliverShuffled(customer)
  expect((await subjects(user)).at(-1)).toBe('Your Front Counter plan has ended')
  expect(await subjects(user)).toHaveLength(2)
})

test('the job finds what time alone makes due: an end, the end of a trial, a card in its last month', async () => {
  const { now } = billing.server.clock
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs)
  const of = (facts: Partial<typeof subscriptionState.$inferInsert>) =>
    billing.user({ subscription: 'active', subscriptionFacts: facts })
  const ending = await of({ cancelAt: inDays(6) })
  const trial = await of({ status: 'trialing', currentPeriodEnd: inDays(2) })
  const card = await of({ cardExpiresAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)) })
  const quiet = await of({ cardExpiresAt: new Date(Date.UTC(now.getUTCFullYear() + 3, 0, 1)) })
  await sendTimedNotices(billing.deps)
  await sendTimedNotices(billing.deps)
  expect(await subjects(ending)).toEqual([expect.stringMatching(/plan ends on/)])
  expect(await subjects(trial)).toEqual([expect.stringMatching(/trial ends on/)])
  expect(await subjects(card)).toEqual(['Your card for Front Counter expires soon'])
  expect(await subjects(quiet)).toEqual([])
})

test('the card on file is read with the subscription: its own, or else the one of the customer', async () => {
  const { user, customer, subscription } = await subscriber()
  const cards = await billing.api.customers.listPaymentMethods(customer)
  const { exp_year = 0, exp_month = 0 } = cards.data[0]?.card ?? {}
  const firstAfter = new Date(Date.UTC(exp_year, exp_month, 1))
  expect((await billing.row(user))?.cardExpiresAt).toEqual(firstAfter)

  await billing.api.subscriptions.cancel(subscription.id)
  await billing.api.subscriptions.create({ customer, items: [{ price: billing.priceOf('pro_yearly') }] })
  await syncCustomer(billing.deps, customer)
  expect(await billing.row(user)).toMatchObject({ status: 'active', cardExpiresAt: firstAfter })
})

test('a change that is rolled back is not told, and told when it is written after all', async () => {
  const { user, customer, subscription } = await subscriber()
  await billing.api.subscriptions.cancel(subscription.id)
  const broken = {
    ...billing.deps,
    enqueue: async () => {
      throw new Error('the queue is full')
    },
  }
  await expect(syncCustomer(broken, customer)).rejects.toThrow('the queue is full')
  expect((await billing.row(user))?.status).toBe('active')
  expect((await billing.db.select().from(billingNotice)).filter(({ userId }) => userId === user.id)).toEqual([])
  await syncCustomer(billing.deps, customer)
  expect(await subjects(user)).toEqual(['Your Front Counter plan has ended'])
})
