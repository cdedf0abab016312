import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addIntervals, periodAt } from '../billing/billing-periods.ts'
import { discountLines, reduced, shareLeft } from '../billing/discount-amounts.ts'
import { advanceTo, type Bench, clockedCustomer, itemOf, openBench } from './support.ts'

const seconds = (text: string): number => Date.parse(`${text}T12:00:00Z`) / 1000
const dateOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)
const monthly = { interval: 'month', interval_count: 1 } as never
const yearly = { interval: 'year', interval_count: 1 } as never

test('S35 intervals are counted from the anchor: a month without that day uses its last day, and the next month returns to it', () => {
  const dates = (anchor: string, every: never, counts: number[]) =>
    counts.map((count) => dateOf(addIntervals(seconds(anchor), every, count)))
  expect(dates('2027-01-31', monthly, [1, 2, 3])).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
  expect(dates('2028-01-31', monthly, [1, 13])).toEqual(['2028-02-29', '2029-02-28'])
  expect(dates('2028-02-29', yearly, [1, 2, 4])).toEqual(['2029-02-28', '2030-02-28', '2032-02-29'])
  expect(dates('2027-12-31', monthly, [2])).toEqual(['2028-02-29'])
})

const instant = fc.integer({ max: seconds('2040-01-01'), min: seconds('2026-01-01') })

test('every instant after the anchor lies in exactly one period, and periods follow each other', () => {
  fc.assert(
    fc.property(instant, fc.nat(5 * 366 * 86_400), fc.constantFrom(monthly, yearly), (anchor, later, every) => {
      const period = periodAt(anchor, every, anchor + later)
      expect(period.start <= anchor + later && anchor + later < period.end).toBe(true)
      expect(periodAt(anchor, every, period.end).start).toBe(period.end)
    }),
  )
})

test('proration is the full amount at the start and zero at the end, and a credit mirrors a debit', () => {
  fc.assert(
    fc.property(
      instant,
      fc.integer({ max: 400 * 86_400, min: 1 }),
      fc.nat(1_000_000),
      fc.nat(),
      (start, length, amount, at) => {
        const period = { end: start + length, start }
        const left = shareLeft(amount, period, start + (at % (length + 1)))
        expect(left >= 0 && left <= amount).toBe(true)
        expect(shareLeft(-amount, period, start + (at % (length + 1)))).toBe(left === 0 ? -0 : -left)
        expect([shareLeft(amount, period, start), shareLeft(amount, period, period.end)]).toEqual([amount, 0])
      },
    ),
  )
})

const coupon = fc.oneof(
  fc.integer({ max: 100, min: 1 }).map((percent) => ({ amount_off: null, percent_off: percent })),
  fc.integer({ max: 5000, min: 1 }).map((amount) => ({ amount_off: amount, percent_off: null })),
)

test('a discount never exceeds its line, and a fixed amount is deducted to the cent', () => {
  const line = fc.record({ amount: fc.integer({ max: 10_000, min: -10_000 }), discountable: fc.boolean() })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.array(coupon, { maxLength: 3 }), (lines, coupons) => {
      const reductions = coupons.map((each, index) => ({ coupon: each, discount: String(index) }))
      const off = discountLines(lines, reductions).map((all) => all.reduce((sum, { amount }) => sum + amount, 0))
      const open = lines.map(({ amount, discountable }) => (discountable ? Math.max(amount, 0) : 0))
      for (const [index, amount] of off.entries()) expect(amount >= 0 && amount <= (open[index] ?? 0)).toBe(true)
      const total = (all: number[]) => all.reduce((sum, each) => sum + each, 0)
      if (coupons.every((each) => each.amount_off !== null) || lines.length < 2) {
        expect(total(off)).toBe(total(open) - reduced(total(open), reductions))
      }
    }),
  )
})

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(async () => {
  await bench.close()
  expect(bench.problems).toEqual([])
  expect(bench.logged.filter((line) => line.includes('mistake') || line.includes('failed'))).toEqual([])
})

async function everyInvoice(customer: string): Promise<Stripe.Invoice[]> {
  const all: Stripe.Invoice[] = []
  for await (const invoice of bench.stripe.invoices.list({ customer, limit: 100 })) all.push(invoice)
  return all
}

const prices = { price_pro_monthly: 1000, price_team_monthly: 2000 } as const
const months = 31 * 86_400

test('S33 however often a plan is switched within a month, the total is for the time used', async () => {
  const moves = fc.array(fc.tuple(fc.integer({ max: 6 * 86_400, min: 60 }), fc.boolean()), {
    maxLength: 4,
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(moves, fc.constantFrom('always_invoice', 'create_prorations' as const), async (all, behavior) => {
      const start = seconds('2027-01-01')
      const { customer, clock } = await clockedCustomer(bench, { at: start })
      let price: keyof typeof prices = 'price_pro_monthly'
      const items = [{ price }]
      const subscription = await bench.stripe.subscriptions.create({ customer: customer.id, items })
      let [at, used] = [start, 0]
      for (const [wait, team] of all) {
        used += (prices[price] * wait) / months
        at += wait
        price = team ? 'price_team_monthly' : 'price_pro_monthly'
        await advanceTo(bench, clock.id, at)
        await bench.stripe.subscriptions.update(subscription.id, {
          items: [{ id: itemOf(subscription).id, price }],
          proration_behavior: behavior as 'always_invoice',
        })
      }
      used += (prices[price] * (start + months - at)) / months
      await advanceTo(bench, clock.id, start + months + 3600)
      const invoices = await everyInvoice(customer.id)
      const billed = invoices.reduce((sum, { total }) => sum + total, 0) - prices[price]
      // Each switch rounds a credit and a debit by at most half a cent.
      expect(Math.abs(billed - used)).toBeLessThanOrEqual(all.length)
      const known = (await bench.stripe.customers.retrieve(customer.id)) as Stripe.Customer
      const received = invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0)
      expect(received + known.balance).toBe(billed + prices[price])
    }),
    { numRuns: 6 },
  )
})
