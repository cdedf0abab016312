import type { SearchResult } from '#shared/contracts/library/search.ts'
import type { ContentKind } from '#shared/domain/content-items.ts'

/** Drops and their sections are one group for readers. */
export const resultGroups = ['drops', 'prompts', 'guides', 'tools'] as const
export type ResultGroup = (typeof resultGroups)[number]

export const resultGroupLabels: Record<ResultGroup, string> = {
  drops: 'Weekly drops',
  prompts: 'Prompts',
  guides: 'Guides',
  tools: 'Tools',
}

export const kindsOfGroup: Record<ResultGroup, ContentKind[]> = {
  drops: ['issue', 'section'],
  prompts: ['prompt'],
  guides: ['guide'],
  tools: ['tool'],
}

const groupOf = (kind: ContentKind): ResultGroup =>
  resultGroups.find((group) => kindsOfGroup[group].includes(kind)) ?? 'drops'

/** Number of results of a group. */
export const countOfGroup = (counts: Partial<Record<ContentKind, number>>, group: ResultGroup): number =>
  kindsOfGroup[group].reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)

/** Results by group, the group with the best result first. Inside a group they keep their order. */
export function groupResults(
  results: readonly SearchResult[],
  maxPerGroup = Number.POSITIVE_INFINITY,
): { group: ResultGroup; results: SearchResult[] }[] {
  const byGroup = Map.groupBy(results, ({ kind }) => groupOf(kind))
  return [...byGroup].map(([group, members]) => ({ group, results: members.slice(0, maxPerGroup) }))
}
