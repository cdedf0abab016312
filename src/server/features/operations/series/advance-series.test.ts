import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import { keepRemoved, type SeriesStep, type StoredStep, seriesStepsSchema } from '#shared/domain/series.ts'
import { advanceSeries, nextTime, type SeriesFacts } from './advance-series.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const email = (n: number): SeriesStep => ({
  kind: 'email',
  id: id(n),
  subject: `Email ${n}`,
  preheader: '',
  body: 'Text',
  newsletterId: null,
})
const wait = (n: number, amount = 3, unit: 'hours' | 'days' = 'days'): SeriesStep => ({
  kind: 'wait',
  id: id(n),
  amount,
  unit,
})
const condition = (n: number, otherwise: 'end' | 'skip'): SeriesStep => ({
  kind: 'condition',
  id: id(n),
  filter: memberFilterSchema.parse({}),
  otherwise,
})
const tag = (n: number): SeriesStep => ({ kind: 'tag', id: id(n), tag: 'welcomed', change: 'add' })
const field = (n: number): SeriesStep => ({ kind: 'field', id: id(n), field: 1, value: true })
const now = new Date('2026-11-25T15:00:00Z')
const facts = (change: Partial<SeriesFacts> = {}): SeriesFacts => ({
  leaves: false,
  matches: () => true,
  canSet: () => true,
  timeZone: 'America/New_York',
  now,
  ...change,
})
const start = { stepId: null, done: new Set<string>() }
const outcomes = (progress: ReturnType<typeof advanceSeries>) =>
  progress.results.map(({ step, outcome }) => `${Number(step.id.slice(-12))} ${outcome}`)

describe('A member', () => {
  test('takes all steps up to the next wait at once', () => {
    const progress = advanceSeries([email(1), email(2), wait(3), email(4)], start, facts())
    expect(outcomes(progress)).toEqual(['1 sent', '2 sent'])
    expect(progress).toMatchObject({ stepId: id(3), dueAt: new Date('2026-11-28T15:00:00Z'), end: null })
  })

  test('finishes after the last step', () => {
    const progress = advanceSeries([wait(3), email(4)], { stepId: id(3), done: new Set() }, facts())
    expect(outcomes(progress)).toEqual(['3 waited', '4 sent'])
    expect(progress).toMatchObject({ stepId: null, dueAt: null, end: 'finished' })
  })

  test('who leaves takes no further step', () => {
    const progress = advanceSeries([wait(3), email(4)], { stepId: id(3), done: new Set() }, facts({ leaves: true }))
    expect(progress).toMatchObject({ results: [], stepId: id(3), dueAt: null, end: 'left' })
  })

  test('who doesn’t match a condition skips the next step, or ends there', () => {
    const otherwise = facts({ matches: () => false })
    const skips = advanceSeries([condition(1, 'skip'), email(2), email(3)], start, otherwise)
    expect(outcomes(skips)).toEqual(['1 otherwise', '2 skipped', '3 sent'])
    const ends = advanceSeries([condition(1, 'end'), email(2)], start, otherwise)
    expect(outcomes(ends)).toEqual(['1 otherwise'])
    expect(ends).toMatchObject({ stepId: id(1), end: 'condition' })
  })

  test('continues after a change of tags in another pass, so that conditions see the tag', () => {
    const progress = advanceSeries([tag(1), condition(2, 'end')], start, facts())
    expect(outcomes(progress)).toEqual(['1 done'])
    expect(progress).toMatchObject({ stepId: id(1), dueAt: now })
  })

  test('who waits in a deleted step continues with the one that came after it', () => {
    const former = [email(1), wait(2), email(3), wait(4), email(5)]
    const steps = keepRemoved(former, [email(1), email(3), wait(4), email(5)])
    const progress = advanceSeries(steps, { stepId: id(2), done: new Set([id(1)]) }, facts())
    expect(outcomes(progress)).toEqual(['2 waited', '3 sent'])
    expect(keepRemoved(steps, [email(5)]).map((step) => step.id)).toEqual(former.map((step) => step.id))
  })

  test('whose step was moved to the front gets nothing twice', () => {
    const steps = [wait(2), email(1), email(3)]
    const progress = advanceSeries(steps, { stepId: id(2), done: new Set([id(1)]) }, facts())
    expect(outcomes(progress)).toEqual(['2 waited', '3 sent'])
  })
})

describe('A wait', () => {
  test('for a weekday ends at that hour in the member’s time zone, later than now', () => {
    const at = (weekday: number | null, hour: number, zone = 'America/New_York') =>
      nextTime({ weekday, hour }, zone, now).toISOString()
    // It is Wednesday, 10 AM.
    expect(at(3, 11)).toBe('2026-11-25T16:00:00.000Z')
    expect(at(3, 10)).toBe('2026-12-02T15:00:00.000Z')
    expect(at(1, 8)).toBe('2026-11-30T13:00:00.000Z')
    expect(at(null, 8)).toBe('2026-11-26T13:00:00.000Z')
    expect(at(3, 16, 'UTC')).toBe('2026-11-25T16:00:00.000Z')
  })

  test('always ends later than it begins', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.option(fc.integer({ min: 0, max: 6 })),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom('America/New_York', 'Pacific/Apia', 'Europe/Berlin', 'Australia/Lord_Howe'),
        (from, weekday, hour, zone) => {
          const left = nextTime({ weekday, hour }, zone, from).getTime() - from.getTime()
          expect(left).toBeGreaterThan(0)
          expect(left).toBeLessThan(9 * 86_400_000)
        },
      ),
    )
  })

  test('into the past is refused', () => {
    for (const amount of [0, -1, 366, 1.5]) {
      expect(seriesStepsSchema.safeParse([wait(1, amount)]).success).toBe(false)
    }
    expect(seriesStepsSchema.safeParse([wait(1), wait(1)]).success).toBe(false)
  })
})

const stepIn = (n: number) =>
  fc.oneof(
    fc.constant(email(n)),
    fc.integer({ min: 1, max: 5 }).map((amount) => wait(n, amount, 'hours')),
    fc.constantFrom<'end' | 'skip'>('end', 'skip').map((otherwise) => condition(n, otherwise)),
    fc.constant(tag(n)),
    fc.constant(field(n)),
  )
/** Steps of a later version: some of the former, in another order, and new ones. */
const versions = fc
  .tuple(...Array.from({ length: 8 }, (_, n) => stepIn(n)))
  .chain((all) => fc.array(fc.shuffledSubarray([...all]), { minLength: 1, maxLength: 6 }))

test('Whatever is edited and whatever the clock does, each step happens once, and every member gets to an end', () => {
  fc.assert(
    fc.property(
      versions,
      fc.array(fc.boolean()),
      fc.infiniteStream(fc.integer({ min: -9, max: 9 })),
      (edits, answers, hours) => {
        let steps: StoredStep[] = []
        let position: { stepId: string | null; done: Set<string> } = { stepId: null, done: new Set() }
        let at = now
        let passes = 0
        for (;;) {
          const edited = edits[passes]
          if (edited) steps = keepRemoved(steps, edited)
          const clock = facts({
            now: at,
            matches: (step) => answers[Number(step.slice(-1))] ?? true,
            canSet: (step) => answers[Number(step.slice(-1))] ?? true,
          })
          const { results, stepId, dueAt, end } = advanceSeries(steps, position, clock)
          for (const { step } of results) {
            expect(position.done).not.toContain(step.id)
            position.done.add(step.id)
          }
          if (end) break
          expect(dueAt.getTime()).toBeGreaterThanOrEqual(at.getTime())
          position = { ...position, stepId }
          // The clock may be set back while the member waits.
          at = new Date(Math.max(dueAt.getTime(), dueAt.getTime() + (hours.next().value ?? 0) * 3_600_000))
          passes += 1
          expect(passes).toBeLessThan(60)
        }
      },
    ),
  )
})
