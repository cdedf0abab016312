import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { retentionOffer, revenueChange } from '#server/db/schema/index.ts'
import { endDuePauses } from '#server/features/billing/subscriptions/plan-changes/pause-plan.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { reconcile } from '#server/features/billing/subscriptions/webhooks/reconcile.ts'
import type { RetentionReport } from '#shared/contracts/billing/admin-money.ts'
import type { BillingOverview, StayOffer } from '#shared/contracts/billing/billing.ts'
import { addMonths } from '#shared/domain/add-months.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import type { PlanKey } from '#tests/support/default-plans.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import {
  attachCard,
  dayMs,
  deliver,
  eventsOf,
  openBilling,
  payAtCheckout,
  startClock,
  subscribe,
  travel,
} from './support.ts'

const billing = openForTests(() => openBilling())
beforeEach(() => {
  billing.proxy.calls.length = 0
})
const hourMs = 3_600_000

async function subscriber(plan: PlanKey = 'pro_monthly') {
  const user = await billing.user()
  await billing.checkout(user)
  const customer = await billing.customerOf(user)
  const subscription = await subscribe(billing.api, customer, billing.priceOf(plan))
  const clock = await startClock(billing.api, customer)
  await syncCustomer(billing.deps, customer)
  const end = (await billing.row(user))?.currentPeriodEnd ?? new Date(0)
  return { user, customer, subscription, clock, end }
}

type Member = Awaited<ReturnType<typeof subscriber>>

const ask = async (user: TestUser, reason: string) =>
  (await billing.call('offer-to-stay', { reason }, user)).body.offer as StayOffer | null
const take = (user: TestUser, { id, kind }: StayOffer, more: object = {}) =>
  billing.call('take-stay-offer', { id, kind, requestId: randomUUID(), ...more }, user)
const resume = (user: TestUser) => billing.call('resume-plan', { requestId: randomUUID() }, user)
const overview = async (user: TestUser) =>
  (await billing.call('billing-overview', {}, user)).body as unknown as BillingOverview
const invoicesOf = async (customer: string) =>
  (await billing.api.invoices.list({ customer, limit: 100 })).data.toReversed()
const statusesOf = async (customer: string) => (await invoicesOf(customer)).map(({ status }) => status)
const offersOf = (user: TestUser) => billing.db.select().from(retentionOffer).where(eq(retentionOffer.userId, user.id))
const changesOf = async (customer: string) =>
  (await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, customer)))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ kind, yearlyCents }) => [kind, yearlyCents])
const emailsTo = (user: TestUser) => billing.server.outbox.list(user.email).map(({ subject }) => subject)
const changeCalls = () =>
  billing.proxy.calls.filter(({ method, path }) => method === 'POST' && /^\/v1\/subscriptions\//.test(path))

async function paused(months = 1): Promise<Member> {
  const member = await subscriber()
  const offer = await ask(member.user, 'unused')
  expect(offer?.kind).toBe('pause')
  expect((await take(member.user, offer as StayOffer, { months })).status).toBe(200)
  return member
}

async function travelTo({ clock, customer }: Member, at: Date) {
  await travel(billing.api, clock.id, at)
  await syncCustomer(billing.deps, customer)
}

async function expectShownToStaff(
  user: TestUser,
  access: string | RegExp = /^Pro Monthly, paused until .* No access, and no payments\.$/,
  reason = /^Payments are paused: access ended on/,
) {
  const admin = await billing.user({ admin: true })
  const { body: page } = await billing.call('admin-member', { userId: user.id }, admin)
  expect(page.access).toMatch(access)
  const { body: report } = await billing.call('admin-entitlement', { userId: user.id }, admin)
  expect(report.sentences).toContainEqual(expect.stringMatching(reason))
  const { body: list } = await billing.call('admin-members', { filter: { statuses: ['paused'] } }, admin)
  expect((list.items as { id: string }[]).map(({ id }) => id)).toContain(user.id)
  const { body } = await billing.call('admin-overview', {}, admin)
  expect((body.totals as { paused: number }).paused).toBeGreaterThan(0)
}

describe('a pause', () => {
  test('begins at the end of the paid period, costs nothing, and ends by itself with a charge', async () => {
    const member = await paused(2)
    const { user, customer, end } = member
    const back = addMonths(end, 2)
    expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: end.toISOString() })
    expect(await overview(user)).toMatchObject({
      status: 'active',
      pause: { startsAt: end.toISOString(), endsAt: new Date(back.getTime() - hourMs).toISOString() },
      stripe: { nextPayment: null },
    })
    await travelTo(member, new Date(end.getTime() + dayMs))
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await overview(user)).toMatchObject({ status: 'paused', plan: 'pro_monthly' })
    expect(await statusesOf(customer)).toEqual(['paid', 'void'])
    await expectShownToStaff(user)
    await travelTo(member, new Date(addMonths(end, 1).getTime() + dayMs))
    expect((await overview(user)).pause?.startsAt).toBe(end.toISOString())
    await travelTo(member, new Date(back.getTime() - hourMs / 2))
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    await travelTo(member, new Date(back.getTime() + 2 * hourMs))
    expect(await statusesOf(customer)).toEqual(['paid', 'void', 'void', 'paid'])
    expect(await overview(user)).toMatchObject({ status: 'active', pause: null })
    expect(await changesOf(customer)).toEqual([
      ['new', 12_000],
      ['lost', -12_000],
      ['returned', 12_000],
    ])
  })

  test('taken twice in two tabs is one', async () => {
    const { user } = await subscriber()
    const [one, other] = await Promise.all([ask(user, 'unused'), ask(user, 'unused')])
    expect(one?.id).toBe(other?.id)
    billing.proxy.calls.length = 0
    const taken = await Promise.all([
      take(user, one as StayOffer, { months: 1 }),
      take(user, other as StayOffer, { months: 3 }),
    ])
    expect(taken.map(({ status }) => status)).toEqual([200, 200])
    expect(changeCalls()).toHaveLength(1)
    expect(await offersOf(user)).toMatchObject([{ kind: 'pause', takenAt: expect.any(Date) }])
  })

  test('is recorded by the webhook if the server stopped after Stripe’s answer', async () => {
    const { user, customer, subscription, end } = await subscriber()
    await ask(user, 'unused')
    const resumesAt = Math.floor(addMonths(end, 1).getTime() / 1000) - 3600
    const pause = { behavior: 'void' as const, resumes_at: resumesAt }
    await billing.api.subscriptions.update(subscription.id, { pause_collection: pause })
    const events = await eventsOf(billing.api, customer)
    for (const event of events.slice(-2).toReversed()) await deliver(billing, event)
    expect(await offersOf(user)).toMatchObject([{ takenAt: expect.any(Date) }])
    expect((await billing.row(user))?.pauseStartsAt).toEqual(end)
  })

  test('ends with one click before it begins, without a charge', async () => {
    const member = await paused()
    const { user, customer, end } = member
    expect((await resume(user)).status).toBe(200)
    expect((await resume(user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'active', pause: null })
    await travelTo(member, new Date(end.getTime() + 2 * hourMs))
    expect(await statusesOf(customer)).toEqual(['paid', 'paid'])
  })

  test('ends with one click after it began: a new month is charged once, and access returns', async () => {
    const member = await paused(3)
    const { user, customer, end } = member
    const during = new Date(end.getTime() + 10 * dayMs)
    await travelTo(member, during)
    const [first, second] = await Promise.all([resume(user), resume(user)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.body).toMatchObject({ subscribed: true })
    expect(await statusesOf(customer)).toEqual(['paid', 'void', 'paid'])
    expect((await billing.row(user))?.currentPeriodEnd).toEqual(addMonths(during, 1))
    expect((await changesOf(customer)).map(([kind]) => kind)).toEqual(['new', 'lost', 'returned'])
  })

  test('stays when the card is declined', async () => {
    const member = await paused()
    const { user, customer, subscription, end } = member
    await travelTo(member, new Date(end.getTime() + 10 * dayMs))
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
    expect((await resume(user)).status).toBe(402)
    expect(await overview(user)).toMatchObject({ status: 'paused' })
  })

  test('is refused with a clear sentence while a payment has failed', async () => {
    const member = await subscriber()
    const { user, customer, subscription, end } = member
    const offer = await ask(user, 'unused')
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
    // The offer is open for a day.
    await billing.db.update(retentionOffer).set({ offeredAt: end }).where(eq(retentionOffer.userId, user.id))
    await travelTo(member, new Date(end.getTime() + 2 * hourMs))
    const { status, body } = await take(user, offer as StayOffer)
    expect(status).toBe(409)
    expect(body.message ?? body.error).toContain('Your last payment failed, so your plan can’t be paused.')
    expect(await offersOf(user)).toMatchObject([{ takenAt: null }])
  })

  test('is refused in the hour in which the plan renews', async () => {
    const member = await subscriber()
    const { user, end } = member
    await travelTo(member, new Date(end.getTime() + hourMs / 2))
    const offer = await ask(user, 'unused')
    const { status, body } = await take(user, offer as StayOffer)
    expect([status, body.message ?? body.error]).toEqual([
      409,
      'Your plan is renewing right now. Try again in an hour.',
    ])
  })

  test('prevents a switch, whose invoice Stripe would void', async () => {
    const { user } = await paused()
    const switching = { priceId: billing.priceOf('team_monthly') }
    expect((await billing.call('preview-switch', switching, user)).status).toBe(409)
  })

  test('that hasn’t begun ends with a cancellation, and access lasts until the end of the paid period', async () => {
    const { user, subscription, end } = await paused()
    expect((await billing.call('cancel-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'ending', endsAt: end.toISOString(), pause: null })
    expect((await billing.api.subscriptions.retrieve(subscription.id)).pause_collection).toBeNull()
  })

  test('that has begun ends at once with a cancellation, without a charge', async () => {
    const member = await paused()
    const { user, customer, end } = member
    await travelTo(member, new Date(end.getTime() + dayMs))
    expect((await billing.call('cancel-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'ended' })
    expect(await statusesOf(customer)).toEqual(['paid', 'void'])
  })

  test('whose end no webhook reported is found by the hourly reconciliation', async () => {
    const { user, subscription, end } = await paused()
    await billing.api.subscriptions.update(subscription.id, { pause_collection: '' })
    expect((await billing.row(user))?.pauseStartsAt).toEqual(end)
    billing.server.clock.now = new Date(addMonths(end, 1).getTime())
    try {
      await reconcile(billing.deps)
    } finally {
      billing.server.clock.now = new Date()
    }
    expect((await billing.row(user))?.pauseStartsAt).toBeNull()
  })
})

describe('the Pause button', () => {
  const pause = (user: TestUser, months = 1) => billing.call('pause-plan', { months, requestId: randomUUID() }, user)

  test('pauses a monthly plan without a reason or an offer', async () => {
    const { user, end } = await subscriber()
    expect((await pause(user, 3)).status).toBe(200)
    const back = new Date(addMonths(end, 3).getTime() - hourMs)
    expect((await overview(user)).pause).toEqual({ startsAt: end.toISOString(), endsAt: back.toISOString() })
    expect(await offersOf(user)).toEqual([])
    expect(emailsTo(user).join()).toContain('is paused until')
  })

  test('clicked twice, also with other months, pauses once', async () => {
    const { user } = await subscriber()
    billing.proxy.calls.length = 0
    const answers = await Promise.all([pause(user, 1), pause(user, 3)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(changeCalls()).toHaveLength(1)
  })

  test('refuses other lengths, and people without a plan', async () => {
    const { user } = await subscriber()
    for (const months of [0, 4, 1.5, '2', null]) {
      expect((await billing.call('pause-plan', { months, requestId: randomUUID() }, user)).status).toBe(400)
    }
    expect((await pause(await billing.user())).body.code).toBe('no_billing_account')
  })

  async function pausedYear(months = 2) {
    const member = await subscriber('pro_yearly')
    expect((await pause(member.user, months)).status).toBe(200)
    return { ...member, back: new Date(addMonths(member.end, months).getTime() - hourMs) }
  }
  const endPauses = () => endDuePauses(billing.deps)

  test('pauses a yearly plan after its year: nothing is paid or open meanwhile, then a new year is charged once', async () => {
    const member = await pausedYear()
    const { user, customer, end, back } = member
    expect((await overview(user)).pause).toEqual({ startsAt: end.toISOString(), endsAt: back.toISOString() })
    expect(await billing.check(user)).toMatchObject({ subscribed: true, subscription_end: end.toISOString() })
    await travelTo(member, new Date(end.getTime() + 3 * dayMs))
    await endPauses()
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await statusesOf(customer)).toEqual(['paid', 'void'])
    await travelTo(member, new Date(back.getTime() + hourMs))
    await endPauses()
    await endPauses()
    expect(await statusesOf(customer)).toEqual(['paid', 'void', 'paid'])
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect((await billing.row(user))?.currentPeriodEnd).toEqual(addMonths(new Date(back.getTime() + hourMs), 12))
    expect((await changesOf(customer)).map(([kind]) => kind)).toEqual(['new', 'lost', 'returned'])
  })

  test('ends a yearly pause with one click, and the job charges no second year', async () => {
    const member = await pausedYear()
    const { user, customer, end, back } = member
    await travelTo(member, new Date(end.getTime() + 10 * dayMs))
    expect((await resume(user)).body).toMatchObject({ subscribed: true })
    await travelTo(member, new Date(back.getTime() + hourMs))
    await endPauses()
    expect(await statusesOf(customer)).toEqual(['paid', 'void', 'paid'])
  })

  test('a card that fails at the end of a yearly pause is a failed renewal, with the same time to fix it', async () => {
    const member = await pausedYear()
    const { user, customer, subscription, end, back } = member
    await travelTo(member, new Date(end.getTime() + 3 * dayMs))
    const broken = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
    await billing.api.subscriptions.update(subscription.id, { default_payment_method: broken })
    await travelTo(member, new Date(back.getTime() + hourMs))
    await endPauses()
    await endPauses()
    expect(await overview(user)).toMatchObject({ status: 'past_due', pause: null })
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect(await statusesOf(customer)).toEqual(['paid', 'void', 'open'])
  })

  test('a pause without an end that is set at Stripe later isn’t ended by what an earlier one left', async () => {
    const member = await pausedYear()
    const { user, customer, subscription } = member
    await billing.call('resume-plan', { requestId: randomUUID() }, user)
    await billing.api.subscriptions.update(subscription.id, {
      pause_collection: { behavior: 'void' },
      metadata: { pause_ends_at: '1700000000' },
    })
    await syncCustomer(billing.deps, customer)
    expect((await overview(user)).pause?.endsAt).toBeNull()
  })

  test('a paused plan that is canceled ends, its paid invoice can be refunded, and it can’t be switched', async () => {
    const member = await pausedYear()
    const { user, customer } = member
    const admin = await billing.user({ admin: true })
    const [invoice] = await invoicesOf(customer)
    const refund = {
      userId: user.id,
      requestId: randomUUID(),
      invoiceId: invoice?.id,
      amountCents: 500,
      refundedCents: 0,
    }
    expect((await billing.call('admin-refund-invoice', refund, admin)).body).toMatchObject({ refundedCents: 500 })
    const switching = await billing.call('preview-switch', { priceId: billing.priceOf('pro_monthly') }, user)
    expect(switching.status).toBe(409)
    expect((await billing.call('cancel-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'ending', pause: null })
    await travelTo(member, new Date(member.end.getTime() + dayMs))
    await endPauses()
    expect(await overview(user)).toMatchObject({ status: 'ended' })
    expect(await statusesOf(customer)).toEqual(['paid'])
  })

  test('pressed by an owner for a member, it is in the staff log once', async () => {
    const { user, end } = await subscriber()
    const admin = await billing.user({ admin: true })
    const change = { userId: user.id, requestId: randomUUID(), change: { kind: 'pause', months: 2 } }
    for (const _time of [1, 2]) expect((await billing.call('admin-change-member-plan', change, admin)).status).toBe(200)
    expect((await overview(user)).pause?.startsAt).toBe(end.toISOString())
    const { body } = await billing.call('admin-audit-log', { events: ['member_plan_paused'] }, admin)
    const entries = (body.items as { event: string; note?: string }[]).filter(
      ({ event }) => event === 'member_plan_paused',
    )
    expect(entries).toMatchObject([{ note: 'Pro Monthly; 2 months' }])
  })
})

describe('a subscription that Stripe has paused', () => {
  async function pausedAtStripe() {
    const member = await subscriber('pro_yearly')
    await billing.api.subscriptions.pause(member.subscription.id, { bill_for: { unused_time_from: { type: 'none' } } })
    await syncCustomer(billing.deps, member.customer)
    return member
  }
  const useCard = async ({ customer, subscription }: Member, kind: string) =>
    billing.api.subscriptions.update(subscription.id, {
      default_payment_method: await attachCard(billing.api, customer, kind),
    })

  test('says paused to the reader and to staff, and either of them can resume it', async () => {
    const member = await pausedAtStripe()
    const { user, customer, subscription } = member
    expect(await billing.check(user)).toMatchObject({ subscribed: false })
    expect(await overview(user)).toMatchObject({ status: 'paused', plan: 'pro_yearly', pause: null })
    await expectShownToStaff(user, 'Pro Yearly, paused. No access, and no payments.', /^Paused at Stripe/)
    expect((await resume(user)).status).toBe(200)
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect(await overview(user)).toMatchObject({ status: 'active' })
    await billing.api.subscriptions.pause(subscription.id)
    await syncCustomer(billing.deps, customer)
    const admin = await billing.user({ admin: true })
    const change = { userId: user.id, requestId: randomUUID(), change: { kind: 'keep' } }
    expect((await billing.call('admin-change-member-plan', change, admin)).status).toBe(200)
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect((await invoicesOf(customer)).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid'])
  })

  test('stays paused when the card is declined, and says so', async () => {
    const member = await pausedAtStripe()
    await useCard(member, 'pm_card_chargeCustomerFail')
    expect(await resume(member.user)).toMatchObject({ status: 402, body: { code: 'payment_failed' } })
    expect(await overview(member.user)).toMatchObject({ status: 'paused' })
    await useCard(member, 'pm_card_visa')
    expect((await resume(member.user)).status).toBe(200)
  })

  test('can be canceled, and isn’t charged again', async () => {
    const { user, customer } = await pausedAtStripe()
    expect((await billing.call('cancel-plan', { requestId: randomUUID() }, user)).status).toBe(200)
    expect(await overview(user)).toMatchObject({ status: 'ended' })
    expect(await statusesOf(customer)).toEqual(['paid'])
  })
})

describe('an offer to stay', () => {
  test('is made once a year, and a changed answer changes it', async () => {
    const { user } = await subscriber()
    const pause = await ask(user, 'unused')
    const discount = await ask(user, 'low_quality')
    expect(discount).toMatchObject({ id: pause?.id, kind: 'discount', percentOff: 50 })
    expect((await take(user, pause as StayOffer)).body).toMatchObject({ code: 'stay_offer_unavailable' })
    const yesterday = new Date(Date.now() - 2 * dayMs)
    await billing.db.update(retentionOffer).set({ offeredAt: yesterday }).where(eq(retentionOffer.userId, user.id))
    expect(await ask(user, 'unused')).toBeNull()
    const lastYear = new Date(Date.now() - 366 * dayMs)
    await billing.db.update(retentionOffer).set({ offeredAt: lastYear }).where(eq(retentionOffer.userId, user.id))
    expect(await ask(user, 'unused')).toMatchObject({ kind: 'pause' })
  })

  test('of a discount halves the next month only, with one coupon for everyone', async () => {
    const members = [await subscriber(), await subscriber()]
    for (const { user } of members) {
      const offer = await ask(user, 'missing_features')
      const again = [await take(user, offer as StayOffer), await take(user, offer as StayOffer)]
      expect(again.map(({ status }) => status)).toEqual([200, 200])
    }
    const [member] = members as [Member]
    await travelTo(member, new Date(member.end.getTime() + 2 * hourMs))
    await travelTo(member, new Date(addMonths(member.end, 1).getTime() + 2 * hourMs))
    expect((await invoicesOf(member.customer)).map(({ amount_paid: cents }) => cents)).toEqual([1000, 500, 1000])
    expect(await changesOf(member.customer)).toEqual([['new', 12_000]])
    const coupons = (await billing.api.coupons.list({ limit: 100 })).data.filter(({ id }) => id.startsWith('stay-'))
    expect(coupons).toMatchObject([{ times_redeemed: 2 }])
  })

  test('of the yearly price counts as taken when the plan is switched', async () => {
    const { user } = await subscriber()
    expect(await ask(user, 'too_expensive')).toMatchObject({ kind: 'yearly', plan: 'pro_yearly' })
    const priceId = billing.priceOf('pro_yearly')
    const { body } = await billing.call('preview-switch', { priceId }, user)
    const { prorationDate, dueTodayCents } = body
    const switching = { priceId, prorationDate, dueTodayCents, requestId: randomUUID() }
    expect((await billing.call('switch-plan', switching, user)).status).toBe(200)
    expect(await offersOf(user)).toMatchObject([{ kind: 'yearly', takenAt: expect.any(Date) }])
  })

  test('isn’t made for a canceled plan, and another member can’t take it', async () => {
    const { user } = await subscriber()
    const offer = await ask(user, 'unused')
    const stranger = await subscriber()
    expect((await take(stranger.user, offer as StayOffer)).status).toBe(409)
    await billing.call('cancel-plan', { requestId: randomUUID() }, user)
    expect(await ask(user, 'unused')).toBeNull()
    expect((await take(user, offer as StayOffer)).status).toBe(409)
  })

  test('is listed for owners with its reason and words, which go with the account', async () => {
    await billing.db.delete(retentionOffer)
    const owner = await billing.user({ admin: true })
    const { user } = await subscriber()
    const offer = await ask(user, 'unused')
    await take(user, offer as StayOffer, { comment: 'Busy until spring' })
    await ask((await subscriber()).user, 'unused')
    const report = async () =>
      (await billing.call('admin-retention-offers', {}, owner)).body as unknown as RetentionReport
    const kind = { reason: 'unused', kind: 'pause' }
    const member = { id: user.id, email: user.email }
    expect(await report()).toEqual({
      offers: [{ ...kind, offered: 2, taken: 1 }],
      stayed: [{ ...kind, comment: 'Busy until spring', member, takenAt: expect.any(String) }],
    })
    expect((await billing.call('delete-account', { email: user.email }, user)).status).toBe(200)
    expect(await report()).toMatchObject({
      offers: [{ ...kind, offered: 2, taken: 1 }],
      stayed: [{ comment: null, member: null }],
    })
  })
})

describe('emails', () => {
  test('say that the plan is paused, will continue and continues', async () => {
    const member = await paused()
    const { user, end } = member
    expect(emailsTo(user).join()).toContain('is paused until')
    await travelTo(member, new Date(addMonths(end, 1).getTime() - 3 * dayMs))
    await travelTo(member, new Date(addMonths(end, 1).getTime() - hourMs / 2))
    expect(emailsTo(user).slice(0, 2)).toEqual([
      expect.stringMatching(/plan is active again/),
      expect.stringMatching(/plan continues on/),
    ])
  })
})

describe('a card that pays for two accounts', () => {
  async function buyer(name: string) {
    const user = await billing.user()
    await payAtCheckout(await billing.checkout(user), '5555 5555 5555 4444', name)
    const customer = await billing.customerOf(user)
    await syncCustomer(billing.deps, customer)
    return { user, customer }
  }
  const warningsOf = (user: TestUser) => emailsTo(user).filter((subject) => subject.includes('twice'))

  test('is noticed: the newer member is told once, and both billing pages show it', async () => {
    const one = await buyer('Ana Ortiz')
    const other = await buyer('ana ortiz ')
    const shown = (await overview(other.user)).otherAddressOnCard
    expect(shown).toMatch(/^.…@/)
    expect(shown).not.toContain(one.user.email.split('@')[0])
    expect((await overview(one.user)).otherAddressOnCard).not.toBeNull()
    const admin = await billing.user({ admin: true })
    const { body } = await billing.call('admin-entitlement', { userId: other.user.id }, admin)
    expect(body.sameCard).toEqual({ userId: one.user.id, email: one.user.email })
    await syncCustomer(billing.deps, other.customer)
    await syncCustomer(billing.deps, one.customer)
    expect([warningsOf(one.user).length, warningsOf(other.user).length]).toEqual([0, 1])
  })

  test('isn’t mentioned once one of them is canceled, or with another name on it', async () => {
    const one = await buyer('Bea Brown')
    const other = await buyer('Bea Brown')
    const company = await buyer('Carl Brown')
    expect((await overview(company.user)).otherAddressOnCard).toBeNull()
    const [subscription] = (await billing.api.subscriptions.list({ customer: one.customer })).data
    await billing.api.subscriptions.cancel(subscription?.id ?? '')
    await syncCustomer(billing.deps, one.customer)
    expect((await overview(other.user)).otherAddressOnCard).toBeNull()
  })
})
