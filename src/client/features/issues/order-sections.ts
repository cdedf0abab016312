import type { IssueSection } from '#shared/contracts/issues.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'

export type OrderedSection = IssueSection & {
  /** For links from the table of contents. */
  anchor: string
  /** Whether it stands before something that was written before it. */
  broughtForward: boolean
  /** Why it stands first; null for all others, and where the order was kept and nothing of it is the reader's. */
  reason: string | null
}

/** Sections in the reader's order, the same as in the reader's mail, each with its anchor. */
export function orderSections(sections: readonly IssueSection[], reader: Reader): OrderedSection[] {
  const { order, reason } = rankSections(sections, reader)
  return order.flatMap((index, place) => {
    const section = sections[index]
    if (!section) return []
    const broughtForward = order.slice(place).some((later) => later < index)
    return {
      ...section,
      anchor: sectionAnchor(section.heading, index),
      broughtForward,
      reason: place === 0 ? reason : null,
    }
  })
}
