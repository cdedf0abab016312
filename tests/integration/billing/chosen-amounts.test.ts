import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { purchase, purchaseConsent } from '#server/db/schema/index.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import type { Plan } from '#shared/contracts/billing/plans.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  owner = await billing.user({ admin: true })
})

const save = (more: object) =>
  billing.call(
    'admin-save-plan',
    {
      ...{ key: null, version: 0, name: 'Your price', note: '', features: [], priceCents: 1000, currency: 'usd' },
      ...{ interval: 'month', seats: 1, trialDays: null, requestId: crypto.randomUUID(), ...more },
    },
    owner,
  )

async function sell(more: object): Promise<Plan> {
  const requestId = crypto.randomUUID()
  const { status, body } = await save({ requestId, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  const key = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  return ((await billing.call('plans', {})).body.plans as Plan[]).find((one) => one.key === key) ?? ({ key } as Plan)
}

test.each([
  [{ floorCents: 49 }, /at least \$0.50/],
  [{ currency: 'jpy', floorCents: 49 }, /at least ¥50/],
  [{ currency: 'mxn', priceCents: 5000, floorCents: 999 }, /at least MX\$10/],
  [{ floorCents: 1001 }, /more than the suggested price/],
  [{ floorCents: 500, perSeat: true }, /per seat is fixed/],
  [{ floorCents: 500.5 }, /./],
])('a minimum amount that can’t be charged is refused: %o', async (more, message) => {
  const { status, body } = await save(more)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)])
})

test.each([
  ['usd', 1000, 500, 700, '$7 every 3 months'],
  ['jpy', 1500, 800, 801, '¥801 every 3 months'],
])(
  'a member chooses what they pay in %s, and renews at it',
  async (currency, priceCents, floorCents, amountCents, text) => {
    const { priceId, key } = await sell({ currency, priceCents, floorCents, intervalCount: 3 })
    const user = await billing.user()
    const open = () => billing.call('create-checkout', { priceId, amountCents }, user)
    const [first, second] = await Promise.all([open(), open()])
    expect([first.status, first.body.error]).toEqual([200, undefined])
    expect(second.body.url).toBe(first.body.url)
    await payAtCheckout(String(first.body.url))
    const customer = await billing.customerOf(user)
    await syncCustomer(billing.deps, customer)
    expect(await billing.row(user)).toMatchObject({ status: 'active', priceCents: amountCents, priceIntervalCount: 3 })
    expect((await billing.call('own-price', {}, user)).body.price).toBe(text)
    const [consent] = await billing.db.select().from(purchaseConsent).where(eq(purchaseConsent.userId, user.id))
    expect([consent?.priceCents, consent?.terms]).toEqual([amountCents, expect.stringContaining(text)])
    const { items } = (await billing.call('admin-plans', {}, owner)).body as StoredPlans
    expect(items.find((one) => one.key === key)).toMatchObject({ members: 1, onOtherPrice: 0, floorCents })
    expect((await billing.call('admin-price-move', { plan: key, noticeDays: 30 }, owner)).status).toBe(400)
  },
)

test('another amount closes the open checkout, and two buyers of one amount share its price at Stripe', async () => {
  const { priceId, productId } = await sell({ floorCents: 500 })
  const [one, other] = [await billing.user(), await billing.user()]
  const open = async (user: TestUser, amountCents: number) =>
    String((await billing.call('create-checkout', { priceId, amountCents }, user)).body.url)
  const [first] = await Promise.all([open(one, 600), open(other, 600)])
  const again = await open(one, 700)
  await expect(payAtCheckout(first)).rejects.toThrow()
  await payAtCheckout(again)
  const { data } = await billing.api.prices.list({ product: productId, limit: 100 })
  expect(data.map(({ unit_amount: amount }) => amount).toSorted((a, b) => Number(a) - Number(b))).toEqual([
    600, 700, 1000,
  ])
})

test.each([499, 0, -5, 600.5, 100_000_000])(
  'an amount of %d is refused before Stripe is asked',
  async (amountCents) => {
    const { priceId } = await sell({ floorCents: 500 })
    const once = await sell({ floorCents: 500, once: 'forever' })
    const user = await billing.user()
    billing.proxy.calls.length = 0
    expect((await billing.call('create-checkout', { priceId, amountCents }, user)).status).toBe(400)
    expect((await billing.call('buy-access', { plan: once.key, amountCents }, user)).status).toBe(400)
    expect(
      (await billing.call('create-checkout', { priceId: billing.priceOf('pro_monthly'), amountCents }, user)).status,
    ).toBe(400)
    expect(billing.proxy.calls).toEqual([])
  },
)

test('someone who pays once chooses the amount, too', async () => {
  const { key } = await sell({ currency: 'jpy', priceCents: 5000, floorCents: 50, once: 'forever' })
  const user = await billing.user()
  const { status, body } = await billing.call('buy-access', { plan: key, amountCents: 51 }, user)
  expect([status, body.error]).toEqual([200, undefined])
  await payAtCheckout(String(body.url))
  await billing.call('own-purchases', {}, user)
  const [row] = await billing.db.select().from(purchase).where(eq(purchase.userId, user.id))
  expect(row).toMatchObject({ state: 'paid', amountCents: 51, currency: 'jpy' })
  expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: null })
})
