import { type AiLevel, aiLevelLabels } from '#shared/domain/preferences.ts'

/** Reads a member's answers, which `member_facts` stores as `area:…`, `goal:…` and `level:…`. */
export function readStoredAnswers(stored: readonly string[]) {
  const of = (kind: string) =>
    stored.flatMap((answer) => (answer.startsWith(`${kind}:`) ? [answer.slice(kind.length + 1)] : []))
  return {
    areas: of('area'),
    levels: of('level').map((level) => aiLevelLabels[level as AiLevel]?.title ?? level),
    goals: of('goal'),
  }
}
