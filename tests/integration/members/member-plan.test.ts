import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { SwitchPreview } from '#shared/contracts/billing/billing.ts'
import { ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { attachCard, openBilling, payAtCheckout, startClock, travel } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const billing = openForTests(() => openBilling())
let owner: TestUser
let mia: TestUser
beforeEach(async () => {
  billing.proxy.outage = null
  owner = await billing.user({ admin: true })
  mia = await billing.user()
  await payAtCheckout(await billing.checkout(mia))
  await billing.check(mia, { refresh: true })
})

type Change = { kind: 'cancel' | 'keep'; note?: string } | ({ kind: 'switch'; plan: string } & Partial<SwitchPreview>)
const ask = (change: Change, { as = owner, requestId = randomUUID(), userId = mia.id } = {}) =>
  billing.call('admin-change-member-plan', { userId, requestId, change }, as)
const subscription = async () => {
  const { data } = await billing.api.subscriptions.list({ customer: await billing.customerOf(mia), status: 'all' })
  return data[0]
}
const loggedOf = async (event: 'member_plan_canceled' | 'member_plan_switched') =>
  (await auditEntries(billing.server, event)).filter(({ user_id }) => user_id === mia.id)
const preview = async (plan: string) => {
  const { body } = await billing.call('admin-preview-member-switch', { userId: mia.id, plan }, owner)
  return body as unknown as SwitchPreview
}

test('cancels at the end of the paid period, once for two clicks, and undoes it', async () => {
  const requestId = randomUUID()
  const answers = await Promise.all([1, 2].map(() => ask({ kind: 'cancel', note: 'Asked by phone' }, { requestId })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await subscription()).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect((await billing.row(mia))?.cancelAt).not.toBeNull()
  expect(await loggedOf('member_plan_canceled')).toMatchObject([
    { by: owner.email, note: 'Pro Monthly; Asked by phone' },
  ])
  expect(await ask({ kind: 'keep' })).toMatchObject({ status: 200 })
  expect(await subscription()).toMatchObject({ cancel_at_period_end: false })
})

test('switches for the previewed amount only', async () => {
  const cost = await preview('pro_yearly')
  const terms = { prorationDate: cost.prorationDate, dueTodayCents: cost.dueTodayCents }
  const other = await ask({ kind: 'switch', plan: 'pro_yearly', ...terms, dueTodayCents: terms.dueTodayCents - 1 })
  expect(other).toMatchObject({ status: 400, body: { error: 'The amount has changed. Review it and try again.' } })
  expect(await loggedOf('member_plan_switched')).toEqual([])
  expect(await ask({ kind: 'switch', plan: 'pro_yearly', ...terms })).toMatchObject({ status: 200 })
  expect((await subscription())?.items.data[0]?.price.id).toBe(billing.priceOf('pro_yearly'))
  const changes = [{ field: 'plan', before: 'Pro Monthly', after: 'Pro Yearly' }]
  expect(await loggedOf('member_plan_switched')).toMatchObject([{ changes }])
})

test('a plan whose renewal failed ends at once, and can’t be switched', async () => {
  const customer = await billing.customerOf(mia)
  const clock = await startClock(billing.api, customer)
  const card = await attachCard(billing.api, customer, 'pm_card_chargeCustomerFail')
  await billing.api.subscriptions.update((await subscription())?.id ?? '', { default_payment_method: card })
  const end = (await billing.row(mia))?.currentPeriodEnd ?? new Date(0)
  await travel(billing.api, clock.id, new Date(end.getTime() + 2 * 3_600_000))
  await billing.check(mia, { refresh: true })
  expect(await subscription()).toMatchObject({ status: 'past_due' })
  const refused = await ask({ kind: 'switch', plan: 'pro_yearly', prorationDate: 1, dueTodayCents: 0 })
  expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining('Check it in Stripe.') } })
  expect(await ask({ kind: 'cancel' })).toMatchObject({ status: 200 })
  expect(await subscription()).toMatchObject({ status: 'canceled' })
})

test('is for owners who confirmed who they are, and changes nothing without Stripe', async () => {
  const support = await billing.user({ role: 'support' })
  expect((await ask({ kind: 'cancel' }, { as: support })).body.code).toBe('role_not_allowed')
  billing.proxy.outage = 'refused'
  expect((await ask({ kind: 'cancel' })).body.code).toBe('stripe_unavailable')
  billing.proxy.outage = null
  await ageAuthentication(billing.server, owner)
  expect((await ask({ kind: 'cancel' })).body.code).toBe('step_up_required')
  expect(await subscription()).toMatchObject({ cancel_at_period_end: false })
  expect(await loggedOf('member_plan_canceled')).toEqual([])
})

test('a member without a plan is named as such', async () => {
  const { id: userId } = await billing.user()
  expect(await ask({ kind: 'cancel' }, { userId })).toMatchObject({
    status: 409,
    body: { error: 'This member has no billing account yet.' },
  })
})
