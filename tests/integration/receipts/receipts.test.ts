import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { contentItems, renewalOffer } from '#server/db/schema/index.ts'
import { settleFreeMonths } from '#server/features/billing/referrals/free-month.ts'
import { enqueueScheduledNotices } from '#server/features/billing/subscriptions/notices/enqueue-notices.ts'
import { applyPlans, takeOverPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { idsOfPlan } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import type { StoreReceipt } from '#shared/contracts/reader/receipts.ts'
import { openBilling, subscribe, travel } from '#tests/integration/billing/support.ts'
import { seat } from '#tests/integration/teams/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
const prompt = { kind: 'prompt', id: 'closing-note' } as const
let admin: TestUser
let yearly: string

beforeAll(async () => {
  await takeOverPlans(billing.db, billing.deps.config)
  await applyPlans(billing.db, billing.deps.config)
  admin = await billing.user({ admin: true })
  const requestId = crypto.randomUUID()
  const terms = { key: null, version: 0, note: '', features: [], currency: 'usd', trialDays: null, requestId }
  const plan = { name: 'Team Yearly', priceCents: 24_000, seats: 5, interval: 'year' }
  expect((await billing.call('admin-save-plan', { ...terms, ...plan }, admin)).status).toBe(200)
  yearly = `plan_${requestId.replaceAll('-', '').slice(0, 12)}`
  const at = new Date('2029-01-01T12:00:00Z')
  await billing.db
    .insert(contentItems)
    .values({ ...prompt, title: 'Closing handover note', path: '/portal', publishedAt: at, changedAt: at })
})

const at = (day: string) => new Date(`${day}T17:00:00Z`)

/** An owner who bought a yearly plan at noon of that day of the sandbox's clock. */
async function buy(day: string) {
  const { server, api } = billing
  server.clock.now = at(day)
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const clock = await api.testHelpers.testClocks.create({ frozen_time: at(day).getTime() / 1000, customer } as never)
  await subscribe(api, customer, idsOfPlan(billing.deps.config, yearly)?.priceId ?? '')
  await syncCustomer(billing.deps, customer)
  const goTo = async (next: string) => {
    server.clock.now = at(next)
    await travel(api, clock.id, at(next))
    await syncCustomer(billing.deps, customer)
    await enqueueScheduledNotices(billing.deps)
  }
  const ok = async (name: string, input: object, who = user) => {
    const { status, body } = await billing.call(name, input, who)
    expect([status, body.error ?? body.code], name).toEqual([200, undefined])
    return body
  }
  const addStore = async (name: string) => {
    const id = crypto.randomUUID()
    server.clock.advance(1_000)
    await ok('save-location', { id, name: { from: '', to: name } })
    return id
  }
  const renewals = () => server.outbox.list(user.email).filter(({ subject }) => subject.includes('renews on'))
  const receipt = async (month: string) => (await ok('store-receipt', { month })) as StoreReceipt
  return { user, customer, goTo, ok, addStore, renewals, receipt }
}
type Owner = Awaited<ReturnType<typeof buy>>

const tried = (owner: Owner, who: TestUser, day: string, minutesPerWeek: number, outcome = 'worked') => {
  billing.server.clock.now = at(day)
  const answer = { outcome, minutesPerWeek, note: '', shared: false, at: at(day).toISOString() }
  return owner.ok('record-try', { ...prompt, ...answer }, who)
}
const wage = (owner: Owner, cents: number) =>
  owner.ok('save-wage', { cents, at: billing.server.clock.now.toISOString() })
const offerMonths = async (renewalMonth: boolean) => {
  // Signed in just now.
  const by = await billing.user({ admin: true })
  const { version } = (await billing.call('admin-referrals', {}, by)).body
  const settings = { enabled: false, maxPerYear: 12, renewalMonth }
  const { status } = await billing.call('admin-save-referral-settings', { settings, version }, by)
  expect(status).toBe(200)
}

test('a year of an owner with three stores adds up to what a person computes by hand', async () => {
  const owner = await buy('2030-01-04')
  const { server } = billing
  const [harbor, oak, elm] = [
    await owner.addStore('Harbor Street'),
    await owner.addStore('Oak Avenue'),
    await owner.addStore('Elm Square'),
  ]
  const [mia, zoe, noah] = [await billing.user(), await billing.user(), await billing.user()]
  for (const member of [mia, zoe, noah]) await seat(server, owner.user, member)
  await owner.ok('tie-seat', { userId: mia.id, locationIds: [harbor] })
  await owner.ok('tie-seat', { userId: zoe.id, locationIds: [oak] })
  await owner.ok('tie-seat', { userId: noah.id, locationIds: [oak, elm] })
  await wage(owner, 2_000)

  const assign = async (locationId: string, dueOn: string, doneOn: string | null) => {
    const assignmentId = crypto.randomUUID()
    await owner.ok('assign', { assignmentId, item: prompt, to: { locationId }, dueOn, note: '' })
    if (!doneOn) return
    server.clock.now = at(doneOn)
    await owner.ok('check-off', { assignmentId, done: true, at: at(doneOn).toISOString() })
  }
  const found = (storeId: string, month: string, source: string, cents: number) =>
    owner.ok('save-store-money', { storeId, month, source, cents, note: 'statement' })

  await tried(owner, mia, '2030-01-14', 35)
  await assign(harbor, '2030-02-10', '2030-02-09')
  await assign(harbor, '2030-02-20', '2030-02-21')
  await found(oak, '2030-02', 'no-shows', 4_000)
  await tried(owner, zoe, '2030-03-01', 10)
  await assign(oak, '2030-03-05', null)
  await found(harbor, '2030-03', 'royalty', 10_000)
  await found(harbor, '2030-03', 'royalty', 12_000)
  await tried(owner, mia, '2030-04-15', 35, 'did-not-work')
  await tried(owner, noah, '2030-06-01', 7)
  await found(elm, '2030-07', 'commission', 8_550)

  await owner.goTo('2030-12-06')
  // January: 18 days from the 14th, 35 minutes a week: 90 minutes, $30. The plan: $240 × 28 / 365 days, rounded up.
  expect(await owner.receipt('2030-01')).toMatchObject({
    minutes: 90,
    timeCents: 3_000,
    moneyCents: 0,
    costCents: 1_842,
  })
  // February: Harbor 28 × 5 = 140 minutes, $46.66, one of two tasks on time; Oak found $40.
  expect((await owner.receipt('2030-02')).rows).toMatchObject([
    { name: 'Harbor Street', minutes: 140, timeCents: 4_666, due: 2, onTime: 1 },
    { name: 'Oak Avenue', minutes: 0, moneyCents: 4_000, money: [{ source: 'no-shows', cents: 4_000 }] },
    { name: 'Elm Square', minutes: 0, moneyCents: 0, due: 0 },
  ])
  // March: Harbor 31 × 5 = 155 minutes, $51.66, and $120 once; Oak 31 × 10 / 7 = 44 minutes, $14.66, its task not done.
  expect(await owner.receipt('2030-03')).toMatchObject({
    ...{ minutes: 199, timeCents: 5_166 + 1_466, moneyCents: 12_000, costCents: 2_039 },
    rows: [{ moneyCents: 12_000 }, { minutes: 44, due: 1, onTime: 0 }, { minutes: 0 }],
  })
  // April: Harbor until the 14th, 14 × 5 = 70 minutes. July: Noah has two stores, so 31 minutes are of the business.
  expect((await owner.receipt('2030-04')).rows[0]).toMatchObject({ minutes: 70, timeCents: 2_333 })
  expect((await owner.receipt('2030-07')).rows).toMatchObject([
    { name: 'Harbor Street', minutes: 0 },
    { name: 'Oak Avenue', minutes: 44 },
    { name: 'Elm Square', moneyCents: 8_550 },
    { name: null, minutes: 31, timeCents: 1_033 },
  ])

  // Harbor 3,000 + 4,666 + 5,166 + 2,333 = 15,165. Oak: five months of 31 days at 1,466, four of 30 at 1,400, and 5 days of
  // December, 7 minutes, 233: 13,163. Noah: 3 × 1,000 + 3 × 1,033 + 166 = 6,265. Found: 4,000 + 12,000 + 8,550 = 24,550.
  expect(15_165 + 13_163 + 6_265 + 24_550).toBe(59_143)
  const [email, ...more] = owner.renewals()
  expect(more).toEqual([])
  expect(email?.text.replaceAll(/\s+/g, ' ')).toContain('adds up to $591.43, against $240.00 for the next year.')
  expect(email?.text).toContain('/portal/receipt')
  expect(JSON.stringify(await owner.receipt('2030-07'))).not.toContain('Closing handover note')
})

describe('a year that brought less than the plan costs', () => {
  const poorYear = async () => {
    const owner = await buy('2030-01-04')
    await owner.addStore('Harbor Street')
    await wage(owner, 2_000)
    await tried(owner, owner.user, '2030-01-14', 10)
    await owner.goTo('2030-12-06')
    return owner
  }

  test('is said so in the renewal email, without an offer while the publisher makes none', async () => {
    await offerMonths(false)
    const owner = await poorYear()
    const [email] = owner.renewals()
    // January 833, February 1,333, five months of 31 days at 1,466, four of 30 at 1,400, and 5 days of December: 233.
    expect(833 + 1_333 + 5 * 1_466 + 4 * 1_400 + 233).toBe(15_329)
    const text = email?.text.replaceAll(/\s+/g, ' ')
    expect(text).toContain('brought $153.29, less than the $240.00 for the next year.')
    expect(email?.text).not.toContain('A month is on us')
    expect((await owner.receipt('2030-12')).freeMonth).toBeNull()
    expect((await billing.call('take-free-month', {}, owner.user)).status).toBe(404)
  })

  test('brings a free month where the publisher offers one, exactly once', async () => {
    await offerMonths(true)
    const owner = await poorYear()
    expect(owner.renewals()[0]?.text).toContain('A month is on us')
    expect((await owner.receipt('2030-12')).freeMonth).toEqual({ cents: 2_000, currency: 'usd' })
    const clicks = await Promise.all([1, 2].map(() => billing.call('take-free-month', {}, owner.user)))
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([200, 404])
    await settleFreeMonths(billing.deps)
    await billing.db.update(renewalOffer).set({ creditId: null }).where(eq(renewalOffer.userId, owner.user.id))
    await settleFreeMonths(billing.deps)
    const { data } = await billing.api.customers.listBalanceTransactions(owner.customer)
    expect(data.map(({ amount }) => amount)).toEqual([-2_000])
    expect((await owner.receipt('2030-12')).freeMonth).toBeNull()
  })

  test('can’t be used after the renewal', async () => {
    await offerMonths(true)
    const owner = await poorYear()
    await owner.goTo('2031-01-05')
    expect((await billing.call('take-free-month', {}, owner.user)).status).toBe(404)
  })
})

test('someone who entered nothing gets the renewal email as before, and no offer', async () => {
  await offerMonths(true)
  const owner = await buy('2030-01-04')
  await owner.goTo('2030-12-06')
  expect(owner.renewals()[0]?.text).not.toMatch(/brought|receipt/)
  expect(await billing.db.$count(renewalOffer, eq(renewalOffer.userId, owner.user.id))).toBe(0)
})

test('money is entered for a store of one’s own only', async () => {
  const owner = await buy('2030-01-04')
  const stranger = await buy('2030-01-04')
  const storeId = await stranger.addStore('Not mine')
  const input = { storeId, month: '2030-01', source: 'royalty', cents: 100, note: '' }
  const { status, body } = await billing.call('save-store-money', input, owner.user)
  expect([status, body.code]).toEqual([404, 'location_not_found'])
  await stranger.ok('save-store-money', input)
  await stranger.ok('save-store-money', { ...input, cents: 0 })
  expect((await stranger.receipt('2030-01')).moneyCents).toBe(0)
})

test('a partner reads a receipt by a link, and nothing else, for 72 hours', async () => {
  const owner = await buy('2030-01-04')
  const storeId = await owner.addStore('Harbor <b>Street</b>')
  await owner.ok('save-store-money', { storeId, month: '2030-01', source: 'royalty', cents: 12_000, note: 'line 12' })
  const { url } = await owner.ok('share-item', { kind: 'receipt', id: '2030-01', showsBusiness: false })
  const open = async () => {
    const page = await billing.server.request(new URL(String(url)).pathname)
    return { status: page.status, policy: page.headers.get('content-security-policy'), text: await page.text() }
  }
  const page = await open()
  expect([page.status, page.policy]).toEqual([200, expect.stringContaining("default-src 'none'")])
  expect(page.text).toContain('Receipt of January 2030')
  expect(page.text).toContain('Royalty found: $120.00 (line 12)')
  expect(page.text).toContain('Harbor &lt;b&gt;Street&lt;/b&gt;')
  expect(page.text).not.toContain(owner.user.email)
  const month = await billing.call('share-item', { kind: 'receipt', id: '2030-13', showsBusiness: false }, owner.user)
  expect(month.status).toBe(404)
  const { links } = await owner.ok('share-links', {})
  expect(links).toMatchObject([{ kind: 'receipt', id: '2030-01' }])
  billing.server.clock.now = at('2030-01-08')
  expect((await open()).status).toBe(404)
})
