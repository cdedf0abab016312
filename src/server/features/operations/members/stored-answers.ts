import { optionLabels, type Questions } from '#shared/domain/preferences.ts'

/** Reads a member's answers, which `member_facts` stores as `area:…`, `goal:…` and `level:…`, in words. */
export function readStoredAnswers(publication: Questions, stored: readonly string[]) {
  const of = (kind: string) =>
    stored.flatMap((answer) =>
      answer.startsWith(`${kind}:`) && answer.length > kind.length + 1 ? [answer.slice(kind.length + 1)] : [],
    )
  return {
    areas: optionLabels(publication, 'focusAreas', of('area')),
    levels: optionLabels(publication, 'aiLevel', of('level')),
    goals: optionLabels(publication, 'goals', of('goal')),
  }
}
