import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { billingNotice, subscriptionState } from '#server/db/schema/index.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { sendPlanStarted } from '#server/features/reader/onboarding/complete-onboarding.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import { legalDefaults } from '#shared/domain/legal.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
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

async function subscriber(plan: PlanKey = 'pro_monthly') {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf(plan))
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
const allSubjects = async (user: TestUser) => (await mailsTo(user)).map(({ subject }) => subject).toReversed()
const start = 'You’re in. Welcome to Front Counter'
/** Subjects, oldest first, without the start email that all of these users get. */
const subjects = async (user: TestUser) => (await allSubjects(user)).filter((subject) => subject !== start)

/** Delivers each event several times in random order. */
async function deliverShuffled(customer: string) {
  const events = await eventsOf(billing.api, customer)
  const order = [...events, ...events, ...events].toSorted(() => Math.random() - 0.5)
  for (let at = 0; at < order.length; at += 8) {
    await Promise.all(order.slice(at, at + 8).map((event) => deliver(billing, event)))
  }
}

test('a failed renewal sends one email, without a portal session URL, and one more when it is paid', async () => {
  const { user, customer, subscription, clock, end, breakCard } = await subscriber()
  await breakCard()
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * hourMs))
  await deliverShuffled(customer)
  await syncCustomer({ ...billing.deps, database: { ...billing.deps.database } }, customer)
  expect(await subjects(user)).toEqual(['Your Front Counter payment failed'])
  const [message] = await mailsTo(user)
  expect(message?.text).toContain(`${billing.deps.config.publicUrl}/account/billing`)
  expect(message?.text).not.toMatch(/\/p\/session|invoice|pm_|cus_|sub_/)
  expect(message?.html).not.toMatch(/\/p\/session|cus_|sub_/)

  // The second attempt fails too, which is the same failure.
  await travel(billing.api, clock.id, new Date(end.getTime() + 4 * dayMs))
  await deliverShuffled(customer)
  expect(await subjects(user)).toHaveLength(1)

  const good = await attachCard(billing.api, customer)
  await billing.api.subscriptions.update(subscription.id, { default_payment_method: good })
  const [open] = (await billing.api.invoices.list({ customer, status: 'open' })).data
  await billing.api.invoices.pay(open?.id ?? '')
  await deliverShuffled(customer)
  expect(await subjects(user)).toEqual(['Your Front Counter payment failed', 'Your Front Counter plan is active again'])
})

test('an abandoned plan ends with one email, and a new one sends "Welcome back"', async () => {
  const { user, customer, clock, end, breakCard } = await subscriber()
  await breakCard()
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * hourMs))
  await deliverShuffled(customer)
  await travel(billing.api, clock.id, new Date(end.getTime() + 20 * dayMs))
  await deliverShuffled(customer)
  expect(await subjects(user)).toEqual(['Your Front Counter payment failed', 'Your Front Counter plan has ended'])
  await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await deliverShuffled(customer)
  expect((await subjects(user)).at(-1)).toBe('Welcome back to Front Counter. You’re in')
  expect(await subjects(user)).toHaveLength(3)
})

/** Simulates two nodes, which share no memory. */
const otherNode = () => ({ ...billing.deps, database: { ...billing.deps.database } })

async function syncFromEverywhere(customer: string) {
  await Promise.all([
    deliverShuffled(customer),
    syncCustomer(billing.deps, customer),
    syncCustomer(otherNode(), customer),
    syncCustomer(otherNode(), customer),
  ])
  await syncCustomer(otherNode(), customer)
}

test('starting, switching, canceling and resuming send one email each, even when done in the customer portal', async () => {
  const user = await billing.user()
  const customer = await billing.checkout(user).then(() => billing.customerOf(user))
  const said: string[] = []
  const saysNext = async (subject: string) => {
    await syncFromEverywhere(customer)
    said.push(subject)
    expect(await allSubjects(user)).toEqual(said)
    return (await mailsTo(user))[0]?.text ?? ''
  }
  const { id, items } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  const item = items.data[0]?.id ?? ''
  const started = await saysNext(start)
  expect(started).toContain('Pro Monthly is active')
  expect(started).toContain(`${billing.deps.config.publicUrl}/portal`)

  const to = (plan: 'team_monthly' | 'pro_monthly') =>
    billing.api.subscriptions.update(id, { items: [{ id: item, price: billing.priceOf(plan) }] })
  await to('team_monthly')
  expect(await saysNext('You switched to Team Monthly')).toMatch(
    /from Pro Monthly to Team Monthly[\s\S]*invite two people/,
  )
  await to('pro_monthly')
  expect(await saysNext('You switched to Pro Monthly')).toMatch(/people on your team no longer have access/)
  await to('team_monthly')
  await saysNext('You switched to Team Monthly')

  for (let times = 0; times < 2; times += 1) {
    await billing.api.subscriptions.update(id, { cancel_at_period_end: true })
    expect(await saysNext('Your Front Counter plan is canceled')).toMatch(/people on your team keep access/)
    await billing.api.subscriptions.update(id, { cancel_at_period_end: false })
    expect(await saysNext('Your Front Counter plan continues')).toContain('It renews on')
  }
  await billing.api.subscriptions.cancel(id)
  await saysNext('Your Front Counter plan has ended')
})

test('the "You’re in" job sends one email, however often it runs, and none for a plan that has ended', async () => {
  const { user, subscription } = await subscriber()
  const again = (userId: string, subscriptionId: string) =>
    billing.db.transaction((tx) => sendPlanStarted(tx, billing.deps, { userId, subscriptionId, isReturning: false }))
  await again(user.id, subscription.id)
  await again(user.id, 'sub_of_somebody_else')
  expect(await allSubjects(user)).toEqual([start])
  const ended = await billing.user({ subscription: 'canceled' })
  await again(ended.id, `sub_${ended.id}`)
  expect(await allSubjects(ended)).toEqual([])
})

test('a plan canceled close to its end gets no reminder', async () => {
  const { user, customer, subscription, clock, end } = await subscriber()
  await travel(billing.api, clock.id, new Date(end.getTime() - 5 * dayMs))
  await billing.api.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await deliverShuffled(customer)
  await enqueueScheduledNotices(billing.deps)
  expect(await subjects(user)).toEqual(['Your Front Counter plan is canceled'])
})

test('a scheduled end sends an email immediately and a week before, each once', async () => {
  const { user, customer, subscription, clock, end } = await subscriber()
  await billing.api.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await deliverShuffled(customer)
  await enqueueScheduledNotices(billing.deps)
  const canceled = 'Your Front Counter plan is canceled'
  expect(await subjects(user)).toEqual([canceled])
  await travel(billing.api, clock.id, new Date(end.getTime() - 5 * dayMs))
  await syncCustomer(billing.deps, customer)
  await Promise.all([enqueueScheduledNotices(billing.deps), enqueueScheduledNotices(billing.deps)])
  expect(await subjects(user)).toEqual([canceled, expect.stringMatching(/^Your Front Counter plan ends on /)])
  await travel(billing.api, clock.id, new Date(end.getTime() + hourMs))
  await deliverShuffled(customer)
  expect((await subjects(user)).at(-1)).toBe('Your Front Counter plan has ended')
  expect(await subjects(user)).toHaveLength(3)
})

test('a yearly plan gets one email 30 days before it renews, with a link to what the year was worth', async () => {
  const { user, customer, clock, end } = await subscriber('pro_yearly')
  const noticesAfter = async (days: number) => {
    await travel(billing.api, clock.id, new Date(end.getTime() + days * dayMs))
    await syncCustomer(billing.deps, customer)
    await deliverShuffled(customer)
    await Promise.all([enqueueScheduledNotices(billing.deps), enqueueScheduledNotices(otherNode())])
    return (await subjects(user)).filter((subject) => subject.includes('renews on'))
  }
  expect(await noticesAfter(-31)).toEqual([])
  expect(await noticesAfter(-29)).toHaveLength(1)
  expect(await noticesAfter(-1)).toHaveLength(1)
  expect(await noticesAfter(1), 'after the renewal').toHaveLength(1)
  const email = (await mailsTo(user)).find(({ subject }) => subject.includes('renews on'))
  const [link = '', year = ''] = /http\S+\/portal\/value\?year=(\d+)/.exec(email?.text ?? '') ?? []
  expect(link).toBe(`${billing.deps.config.publicUrl}/portal/value?year=${year}`)
  expect(email?.html).toContain(`href="${link}"`)
  expect((await billing.call('reader-value', { year: Number(year) }, user)).status).toBe(200)
})

test('the yearly reminder and the end of a discount are each emailed once, if the publisher has them on', async () => {
  const { user } = await subscriber()
  const now = (await billing.row(user))?.testClockTime ?? new Date()
  const due = { startedAt: addMonths(now, -24), discountEndsAt: new Date(now.getTime() + 6 * dayMs) }
  await billing.db.update(subscriptionState).set(due).where(eq(subscriptionState.userId, user.id))
  const { settings } = billing.deps.config
  const { publication } = settings
  const emailedWith = async (isOn: boolean) => {
    const legal = { ...legalDefaults, yearlyReminder: isOn, discountNotice: isOn }
    settings.replace({ publication: { ...publication, legal } })
    await enqueueScheduledNotices(billing.deps)
    await enqueueScheduledNotices(billing.deps)
    return (await subjects(user)).sort()
  }
  try {
    expect(await emailedWith(false)).toEqual([])
    expect(await emailedWith(true)).toEqual([
      expect.stringMatching(/^Your .* plan: a yearly reminder$/),
      expect.stringMatching(/^Your discount ends on /),
    ])
  } finally {
    settings.replace({ publication })
  }
})

test('a monthly plan and a canceled yearly plan get no email about renewing', async () => {
  const monthly = await subscriber()
  const yearly = await subscriber('pro_yearly')
  await billing.api.subscriptions.update(yearly.subscription.id, { cancel_at_period_end: true })
  await deliverShuffled(yearly.customer)
  for (const { clock, end, customer } of [monthly, yearly]) {
    await travel(billing.api, clock.id, new Date(end.getTime() - 5 * dayMs))
    await syncCustomer(billing.deps, customer)
  }
  await enqueueScheduledNotices(billing.deps)
  expect(await subjects(monthly.user)).toEqual([])
  expect((await subjects(yearly.user)).filter((subject) => subject.includes('renews'))).toEqual([])
})

test('the job sends notices that depend on time alone: a plan or trial that ends, a card that expires', async () => {
  const { now } = billing.server.clock
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs)
  const of = (facts: Partial<typeof subscriptionState.$inferInsert>) =>
    billing.user({ subscription: 'active', subscriptionFacts: facts })
  const ending = await of({ cancelAt: inDays(6) })
  const trial = await of({ status: 'trialing', currentPeriodEnd: inDays(2) })
  const card = await of({ cardExpiresAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)) })
  const quiet = await of({ cardExpiresAt: new Date(Date.UTC(now.getUTCFullYear() + 3, 0, 1)) })
  await enqueueScheduledNotices(billing.deps)
  await enqueueScheduledNotices(billing.deps)
  expect(await subjects(ending)).toEqual([expect.stringMatching(/plan ends on/)])
  expect(await subjects(trial)).toEqual([expect.stringMatching(/trial ends on/)])
  expect(await subjects(card)).toEqual(['Your card for Front Counter expires soon'])
  expect(await subjects(quiet)).toEqual([])
})

test('the card comes from the subscription, or else from the customer', async () => {
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

test('a rolled-back change sends no email until it is committed', async () => {
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
  const recorded = await billing.db.select().from(billingNotice).where(eq(billingNotice.userId, user.id))
  expect(recorded.map(({ reason }) => reason)).not.toContain(`ended:${subscription.id}`)
  await syncCustomer(billing.deps, customer)
  expect(await subjects(user)).toEqual(['Your Front Counter plan has ended'])
})
