import type { IssueSection } from '#shared/contracts/issues.ts'
import { orderSections } from '#shared/domain/order-by-focus.ts'

export type OrderedSection = IssueSection & {
  /** For links from the table of contents. */
  anchor: string
  /** The reader's focus areas that brought this section forward; empty where it stands in its usual place. */
  because: string[]
  /** Said once per run of sections that were brought forward alike; null where it would only repeat. */
  reason: string | null
}

/** "Sort by hand before you write" as "sort-by-hand-before-you-write". */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Sections in the reader's order, each with its anchor and the reason if it stands before others that fit less. */
export function arrangeSections(sections: readonly IssueSection[], focusAreas: readonly string[]): OrderedSection[] {
  const anchored = sections.map((section, index) => ({
    ...section,
    // The written position keeps anchors unique and the same whoever reads.
    anchor: `${index + 1}-${toAnchor(section.heading)}`,
  }))
  const matching = (section: IssueSection) => section.focusAreas.filter((area) => focusAreas.includes(area))
  // If everything fits, nothing was brought forward and a reason on every section would be noise.
  const nothingToSay = sections.every((section) => matching(section).length > 0)
  let said = ''
  return orderSections(anchored, focusAreas).map((section) => {
    const because = nothingToSay ? [] : matching(section)
    const reason = because.length > 0 ? `Up front because you chose ${because.join(' and ')}` : ''
    const repeated = reason === said
    said = reason
    return { ...section, because, reason: reason && !repeated ? reason : null }
  })
}
