export const tryOutcomes = ['worked', 'worked-with-changes', 'did-not-work'] as const
export type TryOutcome = (typeof tryOutcomes)[number]

export const tryOutcomeLabels: Record<TryOutcome, string> = {
  worked: 'Worked',
  'worked-with-changes': 'Worked with changes',
  'did-not-work': 'Didn’t work',
}

/** A week has no more. */
export const maxMinutesPerWeek = 7 * 24 * 60

/** Below this number of answers, totals would say too much about one reader. */
export const minAnswers = 5

type Totals = { worked: number; workedWithChanges: number; didNotWork: number }

export const answersIn = ({ worked, workedWithChanges, didNotWork }: Totals): number =>
  worked + workedWithChanges + didNotWork

/** "12 tried it: 9 worked, 2 with changes, 1 didn’t" */
export function describeTotals(totals: Totals): string {
  const { worked, workedWithChanges, didNotWork } = totals
  const parts = [
    worked > 0 && `${worked} worked`,
    workedWithChanges > 0 && `${workedWithChanges} ${worked > 0 ? 'with changes' : 'worked with changes'}`,
    didNotWork > 0 && `${didNotWork} didn’t${worked + workedWithChanges > 0 ? '' : ' work'}`,
  ]
  return `${answersIn(totals)} tried it: ${parts.filter(Boolean).join(', ')}`
}

/** How a group answered, or several groups that are too small to show alone. */
export type AnswerGroup = Totals & { name: string }

/**
 * The groups that have at least five answers. Smaller ones are combined, with the next larger ones as needed, because the
 * difference to the total would reveal a group that is merely left out.
 */
export function combineSmallGroups(groups: readonly AnswerGroup[], otherName: string): AnswerGroup[] {
  const bySize = groups
    .filter((group) => answersIn(group) > 0)
    .toSorted((a, b) => answersIn(b) - answersIn(a) || (a.name < b.name ? -1 : 1))
  const other: AnswerGroup = { name: otherName, worked: 0, workedWithChanges: 0, didNotWork: 0 }
  const add = (group: AnswerGroup) => {
    other.worked += group.worked
    other.workedWithChanges += group.workedWithChanges
    other.didNotWork += group.didNotWork
  }
  const shown = bySize.filter((group) => answersIn(group) >= minAnswers)
  for (const group of bySize) if (answersIn(group) < minAnswers) add(group)
  while (answersIn(other) > 0 && answersIn(other) < minAnswers) {
    const next = shown.pop()
    if (!next) return []
    add(next)
  }
  return answersIn(other) > 0 ? [...shown, other] : shown
}
