import { ownWords, publication } from '#client/lib/publication.ts'
import type { SearchResult } from '#shared/contracts/library/search.ts'
import type { SearchKind } from '#shared/domain/content-items.ts'
import { findTab, hasTab, type Tab } from '#shared/domain/tabs.ts'

/** Drops and their sections are one group for readers. */
export const resultGroups = ['drops', 'prompts', 'guides', 'tools', 'pages'] as const
export type ResultGroup = (typeof resultGroups)[number]

const tabs: Record<ResultGroup, { tab?: Tab; label: string }> = {
  drops: { tab: 'weekly-drops', label: ownWords`Weekly drops` },
  prompts: { tab: 'prompt-packs', label: 'Prompts' },
  guides: { tab: 'guides', label: 'Guides' },
  tools: { tab: 'tools', label: 'Tools' },
  pages: { label: 'Terms, rules and pages' },
}

/** False for a kind whose tab the publisher hides. */
export const isOffered = (group: ResultGroup): boolean => {
  const { tab } = tabs[group]
  return tab === undefined || hasTab(publication, tab)
}

/** The tab's name in the publisher's navigation. */
export const labelOfGroup = (group: ResultGroup): string => {
  const { tab, label } = tabs[group]
  return (tab && findTab(publication, tab)?.label) ?? label
}

export const kindsOfGroup: Record<ResultGroup, SearchKind[]> = {
  drops: ['issue', 'section'],
  prompts: ['prompt'],
  guides: ['guide'],
  tools: ['tool'],
  pages: ['page'],
}

const groupOf = (kind: SearchKind): ResultGroup =>
  resultGroups.find((group) => kindsOfGroup[group].includes(kind)) ?? 'drops'

export const countOfGroup = (counts: Partial<Record<SearchKind, number>>, group: ResultGroup): number =>
  kindsOfGroup[group].reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)

/** Results by group, the group with the best result first. Inside a group they keep their order. */
export function groupResults(
  results: readonly SearchResult[],
  maxPerGroup = Number.POSITIVE_INFINITY,
): { group: ResultGroup; results: SearchResult[] }[] {
  const byGroup = Map.groupBy(results, ({ kind }) => groupOf(kind))
  return [...byGroup].map(([group, members]) => ({ group, results: members.slice(0, maxPerGroup) }))
}
