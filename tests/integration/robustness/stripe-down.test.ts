import { beforeAll, expect, test } from 'vitest'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import type { SwitchPreview } from '#shared/contracts/billing/billing.ts'
import type { AdminStatus } from '#shared/contracts/operations/admin-status.ts'
import {
  type Billing,
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  secondMs,
  subscribe,
  withoutSyncFields,
} from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const hourMs = 3_600 * secondMs
const start = Math.floor(Date.now() / 1000) * 1000
/** Hours since the sandbox started. The server's clock follows. */
let hour = 0
const billing: Billing = openForTests(() => openBilling({ now: () => start + hour * hourMs }))
let owner: TestUser
beforeAll(async () => {
  owner = await billing.user({ role: 'owner' })
})

function travelTo(to: number) {
  hour = to
  billing.server.clock.now = new Date(start + to * hourMs)
}

async function member() {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
  await syncCustomer(billing.deps, customer)
  return { user, customer, subscription }
}

const problems = async () => {
  const { body } = await billing.call('admin-status', {}, owner)
  return (body as unknown as AdminStatus).problems.map(({ kind }) => kind).filter((kind) => kind.startsWith('stripe'))
}
const confirmIdentity = ({ user }: { user: TestUser }) =>
  billing.call('confirm-identity', { method: 'password', password: user.password }, user)
const hasAccess = async ({ user }: { user: TestUser }) => (await billing.check(user)).subscribed

/** A fixed order that looks random, in which each event comes twice. */
const shuffledTwice = <T>(items: readonly T[]) =>
  [...items, ...items].map((item, n) => ({ item, rank: (n * 7_919 + 13) % 101 })).sort((a, b) => a.rank - b.rank)

test('Stripe is down for a day: nothing is half done, members keep access, and everything is caught up afterwards', async () => {
  travelTo(0)
  const [steady, canceling, switching, left] = [await member(), await member(), await member(), await member()]
  const renewing = await member()
  const buyer = await billing.user()
  await reconcile(billing.deps)
  expect(await problems()).toEqual([])
  const preview = (await billing.call('preview-switch', { priceId: billing.priceOf('pro_yearly') }, switching.user))
    .body as unknown as SwitchPreview
  const rows = () =>
    Promise.all([steady, canceling, switching].map(async ({ user }) => withoutSyncFields(await billing.row(user))))
  const before = await rows()

  // The renewal is due two hours into the outage.
  const period = ((await billing.row(renewing.user))?.currentPeriodEnd?.getTime() ?? 0) - start
  travelTo(period / hourMs - 2)
  for (const { customer } of [steady, canceling, switching, left, renewing]) await syncCustomer(billing.deps, customer)
  await reconcile(billing.deps)
  const downAt = hour
  const beforeOutage = await rows()
  expect(before.map((row) => row?.status)).toEqual(['active', 'active', 'active'])
  // Stripe ends one plan as it goes down, and the webhooks arrive while its API doesn't answer.
  await billing.api.subscriptions.cancel(left.subscription.id)
  billing.proxy.outage = 'refused'
  for (const event of await eventsOf(billing.api, left.customer)) expect(await deliver(billing, event)).toBe(200)

  const sentence = {
    code: 'stripe_unavailable',
    error: expect.stringContaining('Try again. You won’t be charged twice.'),
  }
  for (let elapsed = 0; elapsed <= 24; elapsed += 4) {
    travelTo(downAt + elapsed)
    await expect(reconcile(billing.deps)).rejects.toThrow()
    for (const each of [canceling, switching]) await confirmIdentity(each)
    const answers = [
      await billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly') }, buyer),
      await billing.call('cancel-plan', { requestId: crypto.randomUUID() }, canceling.user),
      await billing.call(
        'switch-plan',
        {
          priceId: billing.priceOf('pro_yearly'),
          requestId: crypto.randomUUID(),
          prorationDate: preview.prorationDate,
          dueTodayCents: preview.dueTodayCents,
        },
        switching.user,
      ),
    ]
    for (const { status, body } of answers) expect({ status, body }).toMatchObject({ status: 502, body: sentence })
    for (const each of [steady, canceling, switching, renewing]) expect(await hasAccess(each)).toBe(true)
  }
  expect(await rows()).toEqual(beforeOutage)
  expect(await problems()).toEqual(['stripe', 'stripe-events'])

  billing.proxy.outage = null
  const events = []
  for (const { customer } of [renewing, left, steady]) events.push(...(await eventsOf(billing.api, customer)))
  for (const { item } of shuffledTwice(events)) expect(await deliver(billing, item)).toBe(200)
  travelTo(downAt + 25)
  await reconcile(billing.deps)
  expect(await problems()).toEqual([])
  expect((await billing.storedEvents()).every(({ processedAt }) => processedAt !== null)).toBe(true)
  for (const { user, customer } of [steady, canceling, switching, renewing, left]) {
    const caughtUp = withoutSyncFields(await billing.row(user))
    await syncCustomer(billing.deps, customer)
    expect(caughtUp).toEqual(withoutSyncFields(await billing.row(user)))
  }
  for (const each of [steady, canceling, switching, renewing]) expect(await hasAccess(each)).toBe(true)
  expect(await hasAccess(left)).toBe(false)

  // What failed can be repeated: one checkout, one cancellation.
  expect(await billing.checkout(buyer)).toContain('http')
  const customers = await billing.api.customers.list({ email: buyer.email })
  expect(customers.data).toHaveLength(1)
  await confirmIdentity(canceling)
  expect((await billing.call('cancel-plan', { requestId: crypto.randomUUID() }, canceling.user)).status).toBe(200)
  expect((await billing.row(canceling.user))?.cancelAt).not.toBeNull()
  expect((await billing.row(switching.user))?.productId).toBe(billing.productOf('pro_monthly'))
  expect(billing.deps.clock().getTime() - start).toBeLessThan(33 * dayMs)
})
