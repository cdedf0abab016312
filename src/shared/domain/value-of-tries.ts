import { dayMs } from './durations.ts'
import type { TryOutcome } from './try-outcomes.ts'

/** An answer, and the calendar day from which it counts. */
export type TryDay = { day: string; outcome: TryOutcome; minutesPerWeek: number | null }

export type TriedValue = {
  /** The last answer of the period. */
  outcome: TryOutcome
  minutesPerWeek: number | null
  /** First day of the period on which it was tried. */
  since: string
  /** Days from `since`, or from the start of the period, to its end. */
  days: number
  minutes: number
}

/** Calendar days have no time zone, so UTC makes each 24 hours long. */
const numberOf = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs)

/** The day after the last one that counts for a year: January 1 of the next year, or today. */
export function endOfCounting(year: number, today: string): string {
  const end = `${year + 1}-01-01`
  return today < end ? today : end
}

/**
 * Minutes that one item saved in a year, up to and without the day `until`: each answer counts from its day to the next
 * answer. Whole minutes, rounded down. Null if it has neither an answer nor minutes in the year.
 */
export function valueOfTry(answers: readonly TryDay[], year: number, until: string): TriedValue | null {
  const first = `${year}-01-01`
  const ordered = answers.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  // An answer of today counts no days yet but belongs to the year.
  const known = ordered.filter(({ day }) => day <= until && day < `${year + 1}-01-01`)
  const last = known.at(-1)
  const earliest = known[0]
  if (!last || !earliest) return null
  const minuteDays = minuteDaysOf(known, first, until)
  if (minuteDays === 0 && last.day < first) return null
  const since = earliest.day < first ? first : earliest.day
  return {
    outcome: last.outcome,
    minutesPerWeek: last.minutesPerWeek,
    since,
    days: Math.max(0, numberOf(until) - numberOf(since)),
    minutes: Math.floor(minuteDays / 7),
  }
}

/** Answers in the order of their days. */
function minuteDaysOf(ordered: readonly TryDay[], first: string, until: string): number {
  const [start, end] = [numberOf(first), numberOf(until)]
  return ordered.reduce((sum, { day, outcome, minutesPerWeek }, index) => {
    const next = ordered[index + 1]
    const to = Math.min(next ? numberOf(next.day) : end, end)
    const days = Math.max(0, to - Math.max(numberOf(day), start))
    return outcome === 'did-not-work' ? sum : sum + days * (minutesPerWeek ?? 0)
  }, 0)
}

/** Minutes that one item saved from `first` up to and without `until`, by the rules of `valueOfTry`. */
export const minutesBetween = (answers: readonly TryDay[], first: string, until: string): number =>
  Math.floor(
    minuteDaysOf(
      answers.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
      first,
      until,
    ) / 7,
  )

/**
 * Minutes per week of what worked while no whole minute has added up yet, such as on the day of the first answer; null
 * once there are minutes.
 */
export function weeklyMinutesAtFirst(items: readonly Pick<TriedValue, 'outcome' | 'minutesPerWeek' | 'minutes'>[]) {
  if (items.some(({ minutes }) => minutes > 0)) return null
  const weekly = items.reduce(
    (sum, { outcome, minutesPerWeek }) => sum + (outcome === 'did-not-work' ? 0 : (minutesPerWeek ?? 0)),
    0,
  )
  return weekly || null
}

/** Cost of the minutes at an hourly wage, in whole cents, rounded down. */
export const worthCents = (minutes: number, wageCents: number): number => Math.floor((minutes * wageCents) / 60)
