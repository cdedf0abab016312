import { addDays } from '#shared/domain/due-day.ts'
import { hourMs } from '#shared/domain/durations.ts'
import type { SeriesEnd, StepOutcome, StoredStep } from '#shared/domain/series.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'

/** Where a member is. */
export type SeriesPosition = {
  /** The step they wait in; null before the first. */
  stepId: string | null
  /** Steps with a result, which aren't repeated. */
  done: ReadonlySet<string>
}

/** Facts that decide how a member goes on, as of now. */
export type SeriesFacts = {
  /** True if the member matches the filter of those who leave. */
  leaves: boolean
  /** Tells whether they match a condition. */
  matches(stepId: string): boolean
  /** False for a step whose field was retired, or no longer takes the value. */
  canSet(stepId: string): boolean
  timeZone: string
  now: Date
}

export type SeriesProgress = {
  /** In order, each step at most once. */
  results: { step: StoredStep; outcome: StepOutcome }[]
  /** The step they wait in from now on, or left in; null once finished. */
  stepId: string | null
} & ({ dueAt: Date; end: null } | { dueAt: null; end: SeriesEnd })

/**
 * Moves a member whose step is due up to their next wait or the end. Only forward, and each step once, so that edits and
 * a clock that is set back repeat nothing and no series runs in circles.
 */
export function advanceSeries(
  steps: readonly StoredStep[],
  { stepId, done }: SeriesPosition,
  { leaves, matches, canSet, timeZone, now }: SeriesFacts,
): SeriesProgress {
  const results: SeriesProgress['results'] = []
  const place = steps.findIndex((step) => step.id === stepId)
  const current = steps[place]
  if (leaves) return { results, stepId, dueAt: null, end: 'left' }
  if (current && !done.has(current.id)) results.push({ step: current, outcome: 'waited' })
  let skipsNext = false
  for (const step of steps.slice(place + 1)) {
    if (step.removed || done.has(step.id)) continue
    if (skipsNext) {
      skipsNext = false
      results.push({ step, outcome: 'skipped' })
      continue
    }
    switch (step.kind) {
      case 'email':
        results.push({ step, outcome: 'sent' })
        break
      case 'webhook':
        results.push({ step, outcome: 'done' })
        break
      case 'wait': {
        const hours = step.unit === 'days' ? step.amount * 24 : step.amount
        return { results, stepId: step.id, dueAt: new Date(now.getTime() + hours * hourMs), end: null }
      }
      case 'until':
        return { results, stepId: step.id, dueAt: nextTime(step, timeZone, now), end: null }
      case 'tag':
      case 'field':
        if (step.kind === 'field' && !canSet(step.id)) {
          results.push({ step, outcome: 'skipped' })
          break
        }
        results.push({ step, outcome: 'done' })
        // The next pass reads the member anew, for conditions that ask for the tag or field.
        return { results, stepId: step.id, dueAt: now, end: null }
      case 'condition':
        if (matches(step.id)) {
          results.push({ step, outcome: 'matched' })
          break
        }
        results.push({ step, outcome: 'otherwise' })
        if (step.otherwise === 'end') return { results, stepId: step.id, dueAt: null, end: 'condition' }
        skipsNext = true
    }
  }
  return { results, stepId: null, dueAt: null, end: 'finished' }
}

/** The next time that it is so late on that day of the week; always later than now. */
export function nextTime(
  { weekday, hour }: { weekday: number | null; hour: number },
  timeZone: string,
  now: Date,
): Date {
  const today = localTimeOf(now.toISOString(), timeZone).slice(0, 10)
  // Eight days: today's hour may be over.
  for (let days = 0; days <= 7; days += 1) {
    const day = addDays(today, days)
    if (weekday !== null && new Date(day).getUTCDay() !== weekday) continue
    const at = new Date(instantOf(`${day}T${String(hour).padStart(2, '0')}:00`, timeZone))
    if (at > now) return at
  }
  return new Date(now.getTime() + 7 * 24 * hourMs)
}
