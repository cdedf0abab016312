import { inOfferedOrder } from '#server/features/personalization/labels.ts'
import type { MailBlock } from '#server/mail/layout.ts'
import type { Issue } from '#shared/contracts/issues.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'

const maxDrops = 3

export type FirstDrops = {
  /** Chosen focus areas, in the order in which the form offers them. */
  areas: readonly string[]
  /** Whether the drops are about these areas; otherwise they are the newest ones. */
  match: boolean
  drops: readonly Issue[]
}

/** The drops to begin with: the newest that match the focus areas, or the newest of all when none does. */
export function pickFirstDrops(issues: readonly Issue[], preferences: Preferences | null): FirstDrops {
  const areas = inOfferedOrder(preferences?.focusAreas ?? [])
  const matching = issues.filter(({ tags }) => tags.some((tag) => areas.includes(tag)))
  const match = matching.length > 0
  return { areas, match, drops: (match ? matching : issues).slice(0, maxDrops) }
}

/** One sentence that introduces the drops; empty when there are none. */
export function introduceDrops({ areas, match, drops }: FirstDrops): string {
  if (drops.length === 0) return ''
  if (match) {
    const verb = drops.length === 1 ? 'This drop matches' : 'These drops match'
    return `${verb} your focus ${areas.length === 1 ? 'area' : 'areas'}, ${formatList(areas)}:`
  }
  const latest = drops.length === 1 ? 'Here is the latest drop:' : 'Here are the latest drops:'
  return areas.length > 0 ? `No drop covers ${formatList(areas)} yet. ${latest}` : latest
}

const detailOf = ({ tags, date, readingMinutes }: Issue, { areas, match }: FirstDrops) => {
  const shared = match ? tags.filter((tag) => areas.includes(tag)) : tags
  return `${formatList(shared)}. ${formatDay(date)}, ${readingMinutes} min read`
}

/** For people who can open them. */
export const linkedDrops = (first: FirstDrops, publicUrl: string): MailBlock[] =>
  first.drops.map((issue) => ({
    kind: 'link',
    label: issue.title,
    href: `${publicUrl}/portal/weekly-drops/${issue.slug}`,
    detail: detailOf(issue, first),
  }))

/** For people who can't open them yet: titles alone. */
export const namedDrops = (first: FirstDrops): MailBlock[] =>
  first.drops.length > 0
    ? [{ kind: 'list', items: first.drops.map((issue) => `${issue.title} (${detailOf(issue, first)})`) }]
    : []
