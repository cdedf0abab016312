import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths } from './publishing-calendar.ts'
import { moneySources, type ReceiptFacts, receiptOf, yearCents } from './store-receipt.ts'
import { valueOfTry } from './value-of-tries.ts'

const none: ReceiptFacts = { stores: [], tried: [], money: [], tasks: [], payments: [], wageCents: null }
const harbor = { id: 'harbor', name: 'Harbor Street' }
const weekly = (day: string, minutesPerWeek: number) => ({ day, outcome: 'worked' as const, minutesPerWeek })

test('minutes count from the day of the answer, up to yesterday, and their worth is rounded down', () => {
  const tried = [{ storeId: 'harbor', answers: [weekly('2030-01-14', 35)] }]
  const facts = { ...none, stores: [harbor], tried, wageCents: 2000 }
  expect(receiptOf(facts, '2030-01', '2030-06-01').rows).toMatchObject([{ minutes: 90, timeCents: 3000 }])
  expect(receiptOf(facts, '2030-02', '2030-02-11').rows).toMatchObject([{ minutes: 50, timeCents: 1666 }])
  expect(receiptOf(facts, '2030-03', '2030-02-11').rows).toMatchObject([{ minutes: 0, timeCents: 0 }])
})

test('the plan’s cost is spread over the days that a payment pays for, and rounded up', () => {
  const payments = [{ day: '2030-01-04', interval: 'year', cents: 24_000 }]
  const cost = (month: string) => receiptOf({ ...none, payments }, month, '2031-06-01').costCents
  expect([cost('2029-12'), cost('2030-01'), cost('2030-03'), cost('2031-01'), cost('2031-02')]).toEqual([
    0, 1842, 2039, 198, 0,
  ])
})

test('a task that is due later isn’t counted yet, and one done after its day is late', () => {
  const task = (dueOn: string, doneOn: string | null) => ({ storeId: 'harbor', dueOn, doneOn })
  const tasks = [
    task('2030-02-10', '2030-02-09'),
    task('2030-02-11', '2030-02-11'),
    task('2030-02-12', '2030-02-13'),
    task('2030-02-13', null),
    task('2030-02-20', null),
  ]
  const { rows } = receiptOf({ ...none, stores: [harbor], tasks }, '2030-02', '2030-02-15')
  expect(rows).toMatchObject([{ due: 4, onTime: 2 }])
})

test('what was of a store that is gone stays with the business', () => {
  const money = [{ storeId: 'gone', month: '2030-02', source: 'royalty' as const, cents: 500, note: '' }]
  expect(receiptOf({ ...none, stores: [harbor], money }, '2030-02', '2030-03-01').rows).toMatchObject([
    { name: 'Harbor Street', moneyCents: 0 },
    { name: null, moneyCents: 500 },
  ])
})

const day = fc.date({ min: new Date('2030-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
const dayText = day.map((at) => at.toISOString().slice(0, 10))
const storeId = fc.constantFrom('harbor', 'oak', 'gone', null)
const facts: fc.Arbitrary<ReceiptFacts> = fc.record({
  stores: fc.constant([harbor, { id: 'oak', name: 'Oak Avenue' }]),
  tried: fc.array(
    fc.record({
      storeId,
      answers: fc.array(
        fc.record({
          day: dayText,
          outcome: fc.constantFrom('worked' as const, 'did-not-work' as const),
          minutesPerWeek: fc.option(fc.nat(600)),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 4 },
  ),
  money: fc.array(
    fc.record({
      storeId,
      month: fc.constantFrom('2030-02', '2030-07'),
      source: fc.constantFrom(...moneySources),
      cents: fc.nat(100_000),
      note: fc.constant(''),
    }),
    { maxLength: 6 },
  ),
  tasks: fc.array(fc.record({ storeId, dueOn: dayText, doneOn: fc.option(dayText) }), { maxLength: 6 }),
  payments: fc.array(fc.record({ day: dayText, interval: fc.constantFrom('month', 'year'), cents: fc.nat(100_000) }), {
    maxLength: 4,
  }),
  wageCents: fc.option(fc.nat(10_000)),
})
const months = Array.from({ length: 30 }, (_, by) => addMonths('2030-01', by))
const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

test('over all months and stores, each amount and task counts once, minutes never exceed the year’s, and the cost is paid in full', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const receipts = months.map((month) => receiptOf(given, month, '2033-01-01'))
      const rows = receipts.flatMap((receipt) => receipt.rows)
      expect(total(rows.map(({ moneyCents }) => moneyCents))).toBe(total(given.money.map(({ cents }) => cents)))
      expect(total(rows.map(({ due }) => due))).toBe(given.tasks.length)
      const inYear = receipts.slice(0, 12)
      const worth = given.tried.map(({ answers }) => valueOfTry(answers, 2030, '2031-01-01')?.minutes ?? 0)
      expect(total(inYear.map(({ minutes }) => minutes))).toBeLessThanOrEqual(total(worth))
      const cost = total(receipts.map(({ costCents }) => costCents))
      const paid = total(given.payments.map(({ cents }) => cents))
      expect(cost).toBeGreaterThanOrEqual(paid)
      expect(cost).toBeLessThanOrEqual(paid + months.length)
      expect(yearCents(given, '2030-12', '2033-01-01')).toBe(
        total(inYear.map(({ timeCents, moneyCents }) => timeCents + moneyCents)),
      )
    }),
  )
})
