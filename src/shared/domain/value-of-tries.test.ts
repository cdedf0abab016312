import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tryOutcomes } from './try-outcomes.ts'
import { endOfCounting, type TryDay, valueOfTry, weeklyMinutesAtFirst, worthCents } from './value-of-tries.ts'

const worked = (day: string, minutesPerWeek: number | null): TryDay => ({ day, outcome: 'worked', minutesPerWeek })

describe('The minutes of one item', () => {
  test('count from the day of the answer to the end of the period', () => {
    expect(valueOfTry([worked('2026-11-01', 70)], 2026, '2026-11-22')).toEqual({
      outcome: 'worked',
      minutesPerWeek: 70,
      since: '2026-11-01',
      days: 21,
      minutes: 210,
    })
    expect(valueOfTry([worked('2026-11-22', 70)], 2026, '2026-11-22')).toMatchObject({ days: 0, minutes: 0 })
  })

  test('end and start at the borders of the year, with 366 days in a leap year', () => {
    const answers = [worked('2027-12-29', 7)]
    expect(valueOfTry(answers, 2027, endOfCounting(2027, '2029-06-01'))).toMatchObject({ days: 3, minutes: 3 })
    expect(valueOfTry(answers, 2028, endOfCounting(2028, '2029-06-01'))).toMatchObject({
      since: '2028-01-01',
      days: 366,
      minutes: 366,
    })
    expect(valueOfTry(answers, 2026, endOfCounting(2026, '2029-06-01'))).toBeNull()
  })

  test('change from the day of a later answer on, and stop when it no longer works', () => {
    const answers = [
      worked('2026-03-01', 70),
      worked('2026-03-08', 140),
      { ...worked('2026-03-15', 140), outcome: 'did-not-work' as const },
    ]
    expect(valueOfTry(answers, 2026, '2026-12-01')).toMatchObject({ minutes: 70 + 140, outcome: 'did-not-work' })
    expect(valueOfTry(answers, 2027, '2027-12-01')).toBeNull()
  })
})

const dayOf = (number: number) => new Date(Date.UTC(2023, 0, 1) + number * 86_400_000).toISOString().slice(0, 10)
const answersOf = fc.uniqueArray(
  fc.record({
    day: fc.nat({ max: 1800 }).map(dayOf),
    outcome: fc.constantFrom(...tryOutcomes),
    minutesPerWeek: fc.option(fc.nat({ max: 10_080 })),
  }),
  { selector: ({ day }) => day, maxLength: 8 },
)
const minutesIn = (answers: readonly TryDay[], year: number, today: string) =>
  valueOfTry(answers, year, endOfCounting(year, today))?.minutes ?? 0
const years = [2023, 2024, 2025, 2026, 2027, 2028]
const last = '2028-12-31'

test('The order of answers does not matter', () => {
  fc.assert(
    fc.property(
      answersOf.chain((answers) =>
        fc.tuple(fc.constant(answers), fc.shuffledSubarray(answers, { minLength: answers.length })),
      ),
      fc.constantFrom(...years),
      ([answers, shuffled], year) => {
        const until = endOfCounting(year, last)
        expect(valueOfTry(shuffled, year, until)).toEqual(valueOfTry(answers, year, until))
      },
    ),
  )
})

test('Years add up to the sum over every day, within the rounding of each year', () => {
  fc.assert(
    fc.property(answersOf, (answers) => {
      const ordered = answers.toSorted((a, b) => (a.day < b.day ? -1 : 1))
      let minuteDays = 0
      for (let number = 0; dayOf(number) < last; number++) {
        const present = ordered.findLast(({ day }) => day <= dayOf(number))
        if (present && present.outcome !== 'did-not-work') minuteDays += present.minutesPerWeek ?? 0
      }
      const total = years.reduce((sum, year) => sum + minutesIn(answers, year, last), 0)
      expect(total).toBeLessThanOrEqual(minuteDays / 7)
      expect(total).toBeGreaterThan(minuteDays / 7 - years.length)
    }),
  )
})

test('Later answers do not change earlier years, and a day more never takes minutes away', () => {
  fc.assert(
    fc.property(answersOf, fc.nat({ max: 1799 }), (answers, number) => {
      const past = answers.filter(({ day }) => day < '2026-01-01')
      expect(minutesIn(past, 2025, last)).toBe(minutesIn(answers, 2025, last))
      const year = Number(dayOf(number).slice(0, 4))
      if (dayOf(number + 1).startsWith(String(year))) {
        const before = minutesIn(answers, year, dayOf(number))
        expect(minutesIn(answers, year, dayOf(number + 1))).toBeGreaterThanOrEqual(before)
      }
    }),
  )
})

test('Money is rounded down to whole cents', () => {
  expect(worthCents(60, 2500)).toBe(2500)
  expect(worthCents(1, 2500)).toBe(41)
  expect(worthCents(0, 2500)).toBe(0)
})

test('Until a minute has added up, what worked counts per week', () => {
  const today = { outcome: 'worked', minutesPerWeek: 30, minutes: 0 } as const
  expect(weeklyMinutesAtFirst([today, { ...today, outcome: 'did-not-work' }, { ...today, minutesPerWeek: null }])).toBe(
    30,
  )
  expect(weeklyMinutesAtFirst([today, { ...today, minutes: 4 }])).toBeNull()
  expect(weeklyMinutesAtFirst([{ ...today, minutesPerWeek: null }])).toBeNull()
  expect(weeklyMinutesAtFirst([])).toBeNull()
})
