import { inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import {
  gift,
  purchase,
  revenueChange,
  revenueCurrencyMonth,
  revenueInvoice,
  revenueMonthlyTotal,
} from '#server/db/schema/index.ts'
import { changeKinds } from '#server/features/billing/subscriptions/revenue/revenue-changes.ts'
import { withLostDisputes } from './disputes.ts'
import { giftCharges } from './gifts.ts'
import { expectedState, type Money } from './truth.ts'
import type { World } from './world.ts'

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

type Row = { currency: string }

/** Amounts by currency, without currencies in which nothing was ever paid. */
function byCurrency(rows: readonly Row[], moneyOf: (currency: string) => Money): Record<string, Money> {
  const all = [...new Set(rows.map(({ currency }) => currency))].map(
    (currency) => [currency, moneyOf(currency)] as const,
  )
  return Object.fromEntries(all.filter(([, money]) => Object.values(money).some((cents) => cents !== 0)))
}

const withoutZeros = (all: Record<string, Money>) =>
  byCurrency(
    Object.keys(all).map((currency) => ({ currency })),
    (currency) => all[currency] as Money,
  )

/** Totals leave it out. */
const noTax = { paidTaxCents: 0, refundedTaxCents: 0 }

/** The revenue records match each person's payments, and the monthly totals match the records, in each currency. */
export async function expectConsistentRevenue(world: World) {
  const { db } = world.database
  for (const person of world.people) {
    const { pays } = await expectedState(world, person)
    const changes = await db.select().from(revenueChange).where(inArray(revenueChange.customerId, person.customers))
    const invoices = await db.select().from(revenueInvoice).where(inArray(revenueInvoice.customerId, person.customers))
    const stored = byCurrency([...changes, ...invoices], (currency) => {
      const paid = invoices.filter((one) => one.currency === currency)
      return {
        yearlyCents: sum(changes.filter((one) => one.currency === currency).map(({ yearlyCents }) => yearlyCents)),
        paidCents: sum(paid.map(({ paidCents }) => paidCents)),
        refundedCents: sum(paid.map(({ refundedCents }) => refundedCents)),
        paidTaxCents: sum(paid.map(({ paidTaxCents }) => paidTaxCents)),
        refundedTaxCents: sum(paid.map(({ refundedTaxCents }) => refundedTaxCents)),
      }
    })
    expect(stored).toEqual(withoutZeros(pays))
  }
  await expectConsistentGifts(world)
  await expectConsistentTotals(world)
}

async function expectConsistentGifts(world: World) {
  const found = await giftCharges(world)
  const charges = await Promise.all(found.map((charge) => withLostDisputes(world, charge)))
  const rows = (await world.database.db.select().from(gift)).filter(({ paidAt }) => paidAt !== null)
  expect(
    rows.map(({ id, currency, amountCents, refundedCents }) => [id, currency, amountCents, refundedCents]).sort(),
  ).toEqual(
    charges
      .map(({ metadata, currency, amount, amount_refunded }) => [metadata.gift_id, currency, amount, amount_refunded])
      .sort(),
  )
}

async function expectConsistentTotals({ database: { db } }: World) {
  const dollars = (await db.select().from(revenueMonthlyTotal)).map((row) => ({ ...row, currency: 'usd' }))
  const totals = [...dollars, ...(await db.select().from(revenueCurrencyMonth))]
  const changes = await db.select().from(revenueChange)
  const invoices = await db.select().from(revenueInvoice)
  const paidByGuests = [...(await db.select().from(gift)), ...(await db.select().from(purchase))]
  const gifts = paidByGuests.filter(({ paidAt }) => paidAt !== null)
  const shown = byCurrency(totals, (currency) => {
    const of = (names: readonly string[]) =>
      sum(totals.filter((one) => one.currency === currency && names.includes(one.name)).map(({ cents }) => cents))
    return { yearlyCents: of(changeKinds), paidCents: of(['paid']), refundedCents: of(['refunded']), ...noTax }
  })
  const counted = byCurrency([...changes, ...invoices, ...gifts], (currency) => {
    const own = <T extends Row>(rows: readonly T[]) => rows.filter((one) => one.currency === currency)
    return {
      yearlyCents: sum(own(changes).map(({ yearlyCents }) => yearlyCents)),
      paidCents:
        sum(own(invoices).map(({ paidCents, paidTaxCents }) => paidCents - paidTaxCents)) +
        sum(own(gifts).map(({ amountCents, taxCents }) => amountCents - taxCents)),
      refundedCents:
        sum(own(invoices).map(({ refundedCents, refundedTaxCents }) => refundedCents - refundedTaxCents)) +
        sum(
          own(gifts).map(
            ({ amountCents, taxCents, refundedCents: back }) => back - Math.round((taxCents * back) / amountCents),
          ),
        ),
      ...noTax,
    }
  })
  expect(shown).toEqual(counted)
}
