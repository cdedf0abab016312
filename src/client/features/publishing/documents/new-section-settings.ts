import { publication } from '#client/lib/publication.ts'
import { emptySection, type IssueSectionDraft } from '#shared/contracts/publishing/documents.ts'
import { isOpenByDefault, isTextOpenByDefault } from '#shared/domain/open-sections.ts'

/** Everything of a section but its heading and text. */
export type SectionSettings = Omit<IssueSectionDraft, 'heading' | 'body'>

type Begun = {
  /** Sections before it, the text without a heading too. */
  count: number
  previous: SectionSettings | null
  next: SectionSettings | null
  /** False if all of its text is still to be written. */
  hasText: boolean
}

const { heading: _, body: __, ...empty } = emptySection('')

/** Settings of a section that begins. Text that is split off stays for the same readers; else it has the defaults. */
export function newSectionSettings({ count, previous, next, hasText }: Begun): SectionSettings {
  if (!previous || !hasText) {
    // Steps are adjacent.
    const partOfLead = !!previous?.partOfLead && !!next?.partOfLead
    return { ...empty, partOfLead, openToEveryone: isOpenByDefault(publication.newDrops, count) }
  }
  const { openToEveryone, partOfLead, focusAreas, aiLevel, goals, franchiseTypes, touches, validUntil } = previous
  return { ...empty, openToEveryone, partOfLead, focusAreas, aiLevel, goals, franchiseTypes, touches, validUntil }
}

/** Settings of the text without a heading. */
export const newTextSettings = (): SectionSettings => ({
  ...empty,
  openToEveryone: isTextOpenByDefault(publication.newDrops),
})
