import { press, visit } from '@front-counter/stripe-sandbox/testing'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { revenueChange, revenueInvoice, revenueMonthlyTotal, staffEvent } from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { staffEventKinds } from '#shared/domain/staff-emails.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { deliver, openBilling, payAtCheckout } from './support.ts'

const billing = openForTests(() => openBilling())

async function disputedMember() {
  const user = await billing.user()
  await payAtCheckout(await billing.checkout(user))
  const customer = await billing.customerOf(user)
  await syncCustomer(billing.deps, customer)
  const charge = (await billing.api.charges.list({ customer })).data[0]?.id ?? ''
  await press(await visit(`http://localhost:${billing.sandboxPort}/sandbox/customers/${customer}`), 'Dispute')
  const [made] = (await billing.api.disputes.list({ charge })).data
  return { user, customer, charge, dispute: String(made?.id) }
}
const eventsAbout = async (dispute: string) =>
  (await billing.api.events.list({ limit: 100 })).data.filter(
    ({ type, data }) =>
      (type === 'charge.dispute.created' || type === 'charge.dispute.closed') &&
      (data.object as { id?: string }).id === dispute,
  )
const totals = async () =>
  Object.fromEntries((await billing.db.select().from(revenueMonthlyTotal)).map(({ name, cents }) => [name, cents]))
async function invoiceOf(customer: string) {
  const [row] = await billing.db.select().from(revenueInvoice).where(eq(revenueInvoice.customerId, customer))
  return { paid: row?.paidCents, refunded: row?.refundedCents }
}

test.each([
  ['winning_evidence', 0],
  ['losing_evidence', 1000],
] as const)(
  'a plan keeps its access after %s, and the payment counts %i cents as refunded',
  async (evidence, refunded) => {
    const owner = await billing.user({ admin: true })
    for (const kind of staffEventKinds) await billing.call('admin-staff-emails', { save: { kind, on: true } }, owner)
    const { user, customer, dispute } = await disputedMember()
    const before = { totals: await totals(), emails: billing.server.outbox.list().length }
    await billing.db.delete(staffEvent)
    await billing.api.disputes.update(dispute, { evidence: { uncategorized_text: evidence } })
    // Newest first, so out of order, and twice.
    const events = await eventsAbout(dispute)
    expect(events).toHaveLength(2)
    for (const event of [...events, ...events]) await deliver(billing, event)
    expect(await billing.check(user)).toMatchObject({ subscribed: true })
    expect(await invoiceOf(customer)).toEqual({ paid: 1000, refunded })
    const { refunded: all = 0, ...rest } = await totals()
    const { refunded: earlier = 0, ...others } = before.totals
    expect(all - earlier).toBe(refunded)
    expect(rest).toEqual(others)
    const changes = await billing.db.select().from(revenueChange).where(eq(revenueChange.customerId, customer))
    expect(changes.map(({ yearlyCents }) => yearlyCents)).toEqual([12_000])
    // Stripe tells the owner about disputes; to the member and in the staff's emails nothing has happened.
    expect(billing.server.outbox.list()).toHaveLength(before.emails)
    expect(await billing.db.$count(staffEvent)).toBe(0)
  },
)

test('a payment that is refunded in part and then lost counts as refunded once', async () => {
  const { user, customer, charge, dispute } = await disputedMember()
  await billing.api.refunds.create({ charge, amount: 400 })
  await billing.api.disputes.close(dispute)
  for (const event of await eventsAbout(dispute)) await deliver(billing, event)
  expect(await invoiceOf(customer)).toEqual({ paid: 1000, refunded: 1000 })
  expect(await billing.check(user)).toMatchObject({ subscribed: true })
})
