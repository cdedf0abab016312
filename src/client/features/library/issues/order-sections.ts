import { publication } from '#client/lib/publication.ts'
import type { IssueSection } from '#shared/contracts/library/issues.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { earlierSectionAnchor, sectionAnchor } from '#shared/domain/section-anchor.ts'

export type OrderedSection = IssueSection & {
  /** The target of links in the table of contents. */
  anchor: string
  /** The target of links in emails of earlier versions. */
  earlierAnchor: string
  /** Why it is first; null for all other sections, and if it doesn't match the reader's preferences. */
  reason: string | null
}

/** Orders sections by the reader's preferences, as in the reader's email. Anchors don't depend on the order. */
export function orderSections(sections: readonly IssueSection[], reader: Reader): OrderedSection[] {
  const { order, reason } = rankSections(publication, sections, reader)
  return order.flatMap((index, place) => {
    const section = sections[index]
    if (!section) return []
    return {
      ...section,
      anchor: sectionAnchor(section.id),
      earlierAnchor: earlierSectionAnchor(section.heading, index),
      reason: place === 0 ? reason : null,
    }
  })
}

/** One piece of the page: the lead with all of its steps, or a section that stands alone. */
export type IssueUnit = readonly [OrderedSection, ...OrderedSection[]]

/** Groups adjacent steps of the lead. */
export function groupLead(sections: readonly OrderedSection[]): IssueUnit[] {
  const units: [OrderedSection, ...OrderedSection[]][] = []
  for (const section of sections) {
    const last = units.at(-1)
    if (section.partOfLead && last?.[0].partOfLead) last.push(section)
    else units.push([section])
  }
  return units
}
