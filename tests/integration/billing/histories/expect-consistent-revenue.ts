import { inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import { revenueChange, revenueInvoice, revenueMonthlyTotal } from '#server/db/schema/index.ts'
import { changeKinds } from '#server/features/billing/subscriptions/revenue/revenue-changes.ts'
import { expectedState } from './truth.ts'
import type { World } from './world.ts'

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

/** The revenue records match each person's payments, and the monthly totals match the records. */
export async function expectConsistentRevenue(world: World) {
  const { db } = world.database
  for (const person of world.people) {
    const { pays } = await expectedState(world, person)
    const changes = await db.select().from(revenueChange).where(inArray(revenueChange.customerId, person.customers))
    const invoices = await db.select().from(revenueInvoice).where(inArray(revenueInvoice.customerId, person.customers))
    expect({
      yearlyCents: sum(changes.map(({ yearlyCents }) => yearlyCents)),
      paidCents: sum(invoices.map(({ paidCents }) => paidCents)),
      refundedCents: sum(invoices.map(({ refundedCents }) => refundedCents)),
    }).toEqual(pays)
  }
  const totals = await db.select().from(revenueMonthlyTotal)
  const of = (names: readonly string[]) =>
    sum(totals.filter(({ name }) => names.includes(name)).map(({ cents }) => cents))
  const changes = await db.select().from(revenueChange)
  const invoices = await db.select().from(revenueInvoice)
  expect(of(changeKinds)).toBe(sum(changes.map(({ yearlyCents }) => yearlyCents)))
  expect(of(['paid'])).toBe(sum(invoices.map(({ paidCents }) => paidCents)))
  expect(of(['refunded'])).toBe(sum(invoices.map(({ refundedCents }) => refundedCents)))
}
