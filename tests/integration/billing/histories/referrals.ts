import { expect } from 'vitest'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { referral, revenueInvoice } from '#server/db/schema/index.ts'
import { isTakenBack, withLostDisputes } from './disputes.ts'
import type { Person, World } from './world.ts'

/** Members can bring members. */
export const allowReferrals = (world: World): Promise<void> =>
  world.database.db.transaction(async (tx) => {
    const value = { enabled: true, maxPerYear: 12 }
    await writePublicationSetting(tx, 'referrals', 0, {
      ...{ value, updatedAt: world.clock.now, updatedBy: null, updatedById: null },
    })
  })

/** Someone opens the link of the other person, if that one pays. */
export async function acceptInvitation(world: World, person: Person): Promise<void> {
  const other = world.people.find((one) => one !== person)
  const link = other && (await world.call('own-referrals', {}, other))?.body.link
  if (typeof link !== 'string') return
  await world.call('accept-referral', { token: new URL(link).hash.replace('#gift=', '') }, person)
}

type Row = typeof referral.$inferSelect

/** The first payment's fate at Stripe decides on the reward, and the credits match it to the cent, once. */
export async function expectConsistentReferrals(world: World): Promise<void> {
  const { db } = world.database
  for (const row of await db.select().from(referral)) {
    const fate = row.invoiceId ? await fateOf(world, row.invoiceId) : null
    const { state, reason } = row
    if (state === 'rewarded') expect([row.id, fate]).toEqual([row.id, 'paid'])
    if (state === 'withdrawn' || reason === 'refunded' || reason === 'disputed') expect(fate).not.toBe('paid')
    if (state === 'pending') expect(await hasPaid(world, row)).toBe(false)
    await expectNoMoreThanPaid(world, row)
    for (const side of ['referrer', 'referee'] as const) await expectCredit(world, row, side)
  }
}

/** Neither gets more than the new member has paid. Tax isn't paid to the publisher. */
async function expectNoMoreThanPaid({ api }: World, row: Row): Promise<void> {
  if (!row.invoiceId) return
  const { amount_paid: paid, currency, total_taxes: taxes } = await api.invoices.retrieve(row.invoiceId)
  const most = paid - (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  for (const side of ['referrer', 'referee'] as const) {
    const cents = row[`${side}Currency`] === currency ? (row[`${side}Cents`] ?? 0) : 0
    expect([row.id, side, cents <= most]).toEqual([row.id, side, true])
  }
}

async function fateOf(world: World, invoice: string): Promise<'paid' | 'refunded' | 'disputed'> {
  const { data } = await world.api.invoicePayments.list({ invoice, limit: 100 })
  for (const { payment } of data) {
    const { data: charges } = await world.api.charges.list({ payment_intent: String(payment.payment_intent) })
    for (const charge of charges.filter(({ paid }) => paid)) {
      const { amount, amount_refunded: back } = await withLostDisputes(world, charge)
      if (back >= amount) return 'refunded'
      if (await isTakenBack(world, charge)) return 'disputed'
    }
  }
  return 'paid'
}

async function hasPaid({ database, people }: World, { refereeId }: Row): Promise<boolean> {
  const person = people.find(({ user }) => user.id === refereeId)
  const invoices = await database.db.select().from(revenueInvoice)
  return invoices.some(
    ({ customerId, paidAt, paidCents }) => person?.customers.at(-1) === customerId && paidAt !== null && paidCents > 0,
  )
}

async function expectCredit(world: World, row: Row, side: 'referrer' | 'referee'): Promise<void> {
  const cents = row[`${side}Cents`]
  const customer = row[`${side}CustomerId`]
  if (!customer || (await world.api.customers.retrieve(customer)).deleted) return
  const { data } = await world.api.customers.listBalanceTransactions(customer, { limit: 100 })
  const own = data.filter(({ metadata }) => metadata?.referral_id === row.id)
  const given = own.reduce((sum, { amount }) => sum - amount, 0)
  const taken = row.state === 'withdrawn' ? (row[`${side}TakenCents`] ?? 0) : 0
  expect(given).toBe((cents ?? 0) - taken)
  // Never more than the month, and never a charge for one that was used.
  for (const { amount, ending_balance: after } of own) if (amount > 0) expect(after).toBeLessThanOrEqual(0)
}
