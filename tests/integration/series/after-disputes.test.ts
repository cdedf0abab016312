import { press, visit } from '@front-counter/stripe-sandbox/testing'
import { beforeAll, expect, test } from 'vitest'
import { deliver, eventsOf, openBilling, payAtCheckout } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createSeriesHelpers, draft, email, runMinute } from './support.ts'

const billing = openForTests(() => openBilling())
const names = new Map<string, string>()
let helpers: ReturnType<typeof createSeriesHelpers>

beforeAll(async () => {
  const owner = await billing.user({ admin: true })
  helpers = createSeriesHelpers(billing.server, () => owner)
  for (const kind of ['paid_start', 'plan_ended'] as const) {
    const { id } = await helpers.turnOn(draft({ name: kind, trigger: { kind }, steps: [email(1)] }))
    names.set(id, kind)
  }
})

/** Delivers every event of a customer, newest first and twice, and runs the series' jobs. */
async function hearAll(user: TestUser) {
  const events = await eventsOf(billing.api, await billing.customerOf(user))
  const disputes = (await billing.api.events.list({ type: 'charge.dispute.closed', limit: 10 })).data
  const newestFirst = [...disputes, ...events.toReversed()]
  for (const event of [...newestFirst, ...newestFirst]) {
    expect(await deliver(billing, event)).toBe(200)
  }
  await runMinute(billing.deps)
  await runMinute(billing.deps)
}
const seriesOf = async ({ id }: TestUser) =>
  (await helpers.entries()).filter(({ userId }) => userId === id).map(({ seriesId }) => names.get(seriesId))

async function disputedMember(evidence: 'winning_evidence' | 'losing_evidence') {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  await hearAll(user)
  expect(await seriesOf(user)).toEqual(['paid_start'])
  const customer = await billing.customerOf(user)
  const charge = (await billing.api.charges.list({ customer })).data[0]?.id ?? ''
  await press(await visit(`http://localhost:${billing.sandboxPort}/sandbox/customers/${customer}`), 'Dispute')
  const [dispute] = (await billing.api.disputes.list({ charge })).data
  await billing.api.disputes.update(String(dispute?.id), { evidence: { uncategorized_text: evidence } })
  await hearAll(user)
  return user
}

test('A dispute, won or lost, starts no series, since the plan stays', async () => {
  for (const evidence of ['winning_evidence', 'losing_evidence'] as const) {
    const user = await disputedMember(evidence)
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect(await seriesOf(user)).toEqual(['paid_start'])
  }
})

test('A plan that is ended after a lost dispute starts its series once, and a new plan doesn’t start the first again', async () => {
  const user = await disputedMember('losing_evidence')
  const customer = await billing.customerOf(user)
  const [subscription] = (await billing.api.subscriptions.list({ customer })).data
  await billing.api.subscriptions.cancel(String(subscription?.id))
  await hearAll(user)
  expect(await billing.check(user)).toMatchObject({ subscribed: false })
  expect(await seriesOf(user)).toEqual(['paid_start', 'plan_ended'])
  await payAtCheckout(await billing.checkout(user))
  await hearAll(user)
  expect(await billing.check(user)).toMatchObject({ subscribed: true })
  expect(await seriesOf(user)).toEqual(['paid_start', 'plan_ended'])
})
