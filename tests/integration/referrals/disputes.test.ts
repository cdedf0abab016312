import { press, visit } from '@front-counter/stripe-sandbox/testing'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { openPostgres } from '#server/db/open-postgres.ts'
import { revenueInvoice } from '#server/db/schema/index.ts'
import { workOnReferrals } from '#server/features/billing/referrals/feature.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { dayMs, deliver, openBilling, startClock, travel } from '#tests/integration/billing/support.ts'
import type { TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createReferrals, mastercard } from './support.ts'

const billing = openForTests(() => openBilling())
const { owner, save, own, work, rowOf, creditsOf, balanceOf, subjectsTo, brought, firstChargeOf } =
  createReferrals(billing)
beforeAll(() => save({ enabled: true, maxPerYear: 12 }))

async function dispute(user: TestUser) {
  const page = `http://localhost:${billing.sandboxPort}/sandbox/customers/${await billing.customerOf(user)}`
  await press(await visit(page), 'Dispute', { dispute: await firstChargeOf(user) })
  const [made] = (await billing.api.disputes.list({ charge: await firstChargeOf(user) })).data
  return String(made?.id)
}
const decide = (id: string, evidence: 'winning_evidence' | 'losing_evidence') =>
  billing.api.disputes.update(id, { evidence: { uncategorized_text: evidence } })
async function hear(type: 'created' | 'closed', times = 2) {
  const [event] = (await billing.api.events.list({ type: `charge.dispute.${type}`, limit: 1 })).data
  for (let time = 0; time < times; time += 1) await deliver(billing, event as object)
}
async function workOnTwoNodes() {
  const { url } = billing.server.database
  const second = url ? await openPostgres(url) : null
  try {
    const other = { ...billing.deps, database: second ?? { ...billing.deps.database } }
    await Promise.all([work(), workOnReferrals(other), work(), workOnReferrals(other)])
  } finally {
    await second?.close()
  }
  await work()
}
const aboutMonth = (user: TestUser) => subjectsTo(user).filter((text) => text.includes('free month'))
const moneyPage = async () => (await billing.call('admin-referrals', {}, await owner())).body
async function paymentsOf(user: TestUser) {
  const customer = await billing.customerOf(user)
  const rows = await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customer))
  const sum = (name: 'paidCents' | 'refundedCents') => rows.reduce((cents, row) => cents + row[name], 0)
  return { paid: sum('paidCents'), refunded: sum('refundedCents'), invoices: rows.length }
}
async function renew(user: TestUser, clock: string, days: number) {
  await travel(billing.api, clock, new Date(Date.now() + days * dayMs))
  await syncCustomer(billing.deps, await billing.customerOf(user), { afterPayment: true })
}

test('a reward is taken back after a dispute, given back when it is won, and pays for a renewal then', async () => {
  const costsBefore = ((await moneyPage()) as { costs: unknown[] }).costs
  expect(costsBefore).toEqual([])
  const { referrer, referee } = await brought(mastercard)
  await work()
  const clock = await startClock(billing.api, await billing.customerOf(referrer))
  // The referrer's renewal uses their month; the new member hasn't renewed.
  await renew(referrer, clock.id, 33)
  expect(await paymentsOf(referrer)).toEqual({ paid: 1000, refunded: 0, invoices: 2 })
  expect(await moneyPage()).toMatchObject({ counts: { rewarded: 1 }, costs: [{ cents: 2000 }] })

  const id = await dispute(referee)
  await hear('created')
  await workOnTwoNodes()
  expect(await rowOf(referee)).toMatchObject({
    ...{ state: 'withdrawn', reason: 'disputed', referrerTakenCents: 0, refereeTakenCents: 1000 },
  })
  expect(await creditsOf(referee)).toEqual([1000, -1000])
  for (const user of [referrer, referee]) expect(aboutMonth(user)[0]).toBe('Your free month was taken back')
  expect(await own(referrer)).toMatchObject({ rewarded: 0, credits: [{ cents: 1000, taken: true }] })
  expect(await own(referee)).toMatchObject({ own: { state: 'withdrawn', credit: { taken: true } } })
  // The month that was used stays a cost.
  expect(await moneyPage()).toMatchObject({ counts: { withdrawn: 1 }, costs: [{ cents: 1000 }] })
  // The dispute isn't lost yet, and the plan stays.
  expect(await paymentsOf(referee)).toEqual({ paid: 1000, refunded: 0, invoices: 1 })
  expect(await billing.check(referee)).toMatchObject({ subscribed: true })

  await decide(id, 'winning_evidence')
  await hear('closed')
  billing.proxy.failOnce(({ path, method }) => method === 'POST' && path.includes('/balance_transactions'), 'after')
  await workOnTwoNodes()
  await hear('created')
  await hear('closed')
  await workOnTwoNodes()
  expect(await rowOf(referee)).toMatchObject({ state: 'rewarded', reason: null, refereeTakenCents: null })
  expect(await creditsOf(referee)).toEqual([-1000, 1000, -1000])
  // Nothing had been taken from the referrer, so nothing is given.
  expect(await balanceOf(referrer)).toBe(0)
  for (const user of [referrer, referee]) {
    expect(aboutMonth(user).map((subject) => subject.replace(/: .*/, ''))).toEqual([
      'Your free month is back',
      'Your free month was taken back',
      user === referrer ? 'You get a free month' : 'Your free month',
    ])
  }
  expect(await moneyPage()).toMatchObject({ counts: { rewarded: 1 }, costs: [{ cents: 2000 }] })
  const second = await startClock(billing.api, await billing.customerOf(referee))
  await renew(referee, second.id, 33)
  expect(await paymentsOf(referee)).toEqual({ paid: 1000, refunded: 0, invoices: 2 })

  // A refund after the won dispute takes back what is left: nothing.
  await billing.api.refunds.create({ charge: await firstChargeOf(referee) })
  await syncCustomer(billing.deps, await billing.customerOf(referee), { afterPayment: true })
  await workOnTwoNodes()
  expect(await rowOf(referee)).toMatchObject({ state: 'withdrawn', reason: 'refunded', refereeTakenCents: 0 })
  expect(await paymentsOf(referee)).toEqual({ paid: 1000, refunded: 1000, invoices: 2 })
})

test('a payment that was disputed before the reward brings both their month once the dispute is won', async () => {
  const { referrer, referee } = await brought(mastercard)
  const id = await dispute(referee)
  await hear('created')
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'refused', reason: 'disputed' })
  await decide(id, 'winning_evidence')
  await hear('closed')
  await workOnTwoNodes()
  await workOnTwoNodes()
  expect(await rowOf(referee)).toMatchObject({ state: 'rewarded', reason: null })
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-1000])
})

test('a bank’s question takes nothing back', async () => {
  const { referrer, referee } = await brought('4000 0000 0000 1976')
  await hear('created')
  await work()
  expect(await rowOf(referee)).toMatchObject({ state: 'rewarded', reason: null })
  const [inquiry] = (await billing.api.disputes.list({ charge: await firstChargeOf(referee) })).data
  expect(await decide(String(inquiry?.id), 'winning_evidence')).toMatchObject({ status: 'warning_closed' })
  await hear('closed')
  await workOnTwoNodes()
  for (const user of [referrer, referee]) expect(await creditsOf(user)).toEqual([-1000])
})

test('a lost dispute brings nothing back, counts as refunded, and is asked about only after its events', async () => {
  const { referrer, referee } = await brought(mastercard)
  await work()
  const id = await dispute(referee)
  await hear('created')
  await work()
  await decide(id, 'losing_evidence')
  await hear('closed')
  await workOnTwoNodes()
  expect(await rowOf(referee)).toMatchObject({ state: 'withdrawn', reason: 'disputed' })
  for (const user of [referrer, referee]) expect(await balanceOf(user)).toBe(0)
  expect(await paymentsOf(referee)).toEqual({ paid: 1000, refunded: 1000, invoices: 1 })
  billing.server.clock.advance(10 * 60_000)
  await work()
  const asks = vi.spyOn(billing.deps.stripe.disputes, 'list')
  await work()
  await work()
  expect(asks).not.toHaveBeenCalled()
  asks.mockRestore()
})
