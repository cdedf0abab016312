import { beforeEach, expect, test } from 'vitest'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver, eventsOf, openBilling, payAtCheckout, withoutSyncFields } from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
  billing.proxy.outage = null
})

const complete = async (user: TestUser, sessionId: string) =>
  (await billing.call('complete-checkout', { sessionId }, user)).body

const sessionIn = (address: string) => new URL(address).searchParams.get('session_id') ?? ''

test('B1: the return from checkout activates the subscription without a webhook', async () => {
  const user = await billing.user()
  const target = await payAtCheckout(await billing.checkout(user, 'pro_yearly'))
  expect(target).toMatch(/^http:\/\/localhost:3000\/billing\/return\?session_id=cs_/)
  const answer = await complete(user, sessionIn(target))
  expect(answer).toMatchObject({ subscribed: true, product_id: billing.productOf('pro_yearly') })
  expect(await billing.check(user)).toEqual(answer)
  const [subscription] = (await billing.api.subscriptions.list({ customer: await billing.customerOf(user) })).data
  expect(new Date(String(answer.subscription_end)).getTime() / 1000).toBe(
    subscription?.items.data[0]?.current_period_end,
  )
  expect(subscription?.metadata.user_id).toBe(user.id)
  expect(await billing.pending(user)).toBeNull()
})

test('webhooks after the return, and the return after webhooks, change nothing', async () => {
  for (const webhooksFirst of [true, false]) {
    const user = await billing.user()
    const target = await payAtCheckout(await billing.checkout(user))
    const events = await eventsOf(billing.api, await billing.customerOf(user))
    expect(events.map(({ type }) => type)).toContain('checkout.session.completed')
    const bringAll = async () => {
      for (const event of events) expect(await deliver(billing, event)).toBe(200)
    }
    if (webhooksFirst) await bringAll()
    else await complete(user, sessionIn(target))
    const row = withoutSyncFields(await billing.row(user))
    expect(row?.status).toBe('active')
    if (webhooksFirst) await complete(user, sessionIn(target))
    else await bringAll()
    expect(withoutSyncFields(await billing.row(user))).toEqual(row)
  }
})

test('B17: another user’s session id gives no access and reveals nothing about its owner', async () => {
  const payer = await billing.user()
  const target = await payAtCheckout(await billing.checkout(payer))
  const thief = await billing.user()
  const nothing = { subscribed: false, product_id: null, subscription_end: null }
  expect(await complete(thief, sessionIn(target))).toEqual(nothing)
  await billing.checkout(thief)
  for (const sessionId of [sessionIn(target), 'cs_test_unknown', '../customers', 'cs_test_1/../../x', '__proto__']) {
    expect(await complete(thief, sessionId)).toEqual(nothing)
  }
  expect((await billing.row(payer))?.status).toBe('none')
})

test('while Stripe is down, the return shows the stored state', async () => {
  const user = await billing.user()
  const target = await payAtCheckout(await billing.checkout(user))
  billing.proxy.outage = 'refused'
  expect((await complete(user, sessionIn(target))).subscribed).toBe(false)
  billing.proxy.outage = null
  expect((await complete(user, sessionIn(target))).subscribed).toBe(true)
})

test('a declined card gives no access, and the same checkout accepts another card', async () => {
  const user = await billing.user()
  const url = await billing.checkout(user)
  await expect(payAtCheckout(url, '4000 0000 0000 0002')).rejects.toThrow('the checkout page answered')
  expect((await billing.check(user)).subscribed).toBe(false)
  expect(await billing.checkout(user)).toBe(url)
  const target = await payAtCheckout(url)
  expect((await complete(user, sessionIn(target))).subscribed).toBe(true)
})

test('starting a checkout right after paying returns the portal', async () => {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  expect(await billing.checkout(user, 'team_monthly')).toMatch(/\/p\/session\//)
  expect((await billing.check(user)).subscribed).toBe(true)
})
