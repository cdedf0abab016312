import { type IssueDraft, type IssueSectionDraft, toSlug } from '#shared/contracts/publishing/documents.ts'
import { openingParagraph } from './opening-paragraph.ts'
import { inOptionOrder, type Questions } from './preferences.ts'
import { readingMinutes } from './reading-minutes.ts'

export const maxPreviewLength = 180

/** A draft in which every field that readers or tables need has a value. */
export type DerivedIssue = Omit<IssueDraft, 'sections'> & { sections: (IssueSectionDraft & { minutes: number })[] }

/**
 * Fills the empty fields of a drop from its text. The editor shows these values as placeholders, the preview and the
 * email use them, and publishing stores them. A preview or tags that can't be derived stay empty, and readers' pages
 * leave them out.
 */
export const deriveIssue = (publication: Questions, draft: IssueDraft): DerivedIssue => ({
  ...deriveTexts(draft),
  tags: draft.tags.length > 0 ? draft.tags : deriveTags(publication, draft),
})

/** Leaves out tags, which emails don't show. */
export const deriveTexts = (draft: IssueDraft): DerivedIssue => ({
  ...draft,
  slug: draft.slug.trim() || toSlug(draft.title) || 'drop',
  preview: draft.preview.trim() || derivePreview(draft),
  sections: draft.sections.map((section) => ({ ...section, minutes: section.minutes ?? estimateMinutes(section) })),
})

type Texts = { intro: string; sections: readonly { body: string }[] }

/** Returns true if the preview is how these texts begin. Above them it would be read twice. */
export const isBeginningOf = (preview: string, texts: Texts): boolean => preview === derivePreview(texts)

/** The first sentences of the text that fit, or the beginning of the first one. */
function derivePreview({ intro, sections }: Texts): string {
  const paragraph = [intro, ...sections.map(({ body }) => body)].flatMap(paragraphsOf)[0]
  if (paragraph === undefined) return ''
  if (paragraph.length <= maxPreviewLength) return paragraph
  const start = paragraph.slice(0, maxPreviewLength + 1)
  const sentences = /^.*[.!?][”"’')]?(?=\s)/s.exec(start)?.[0]
  return sentences ?? `${start.slice(0, maxPreviewLength - 1).replace(/\s+\S*$/, '')}…`
}

/** Paragraphs as plain text, without headings, lists, quotations, tables and images. */
const paragraphsOf = (markdown: string): string[] =>
  markdown.split(/\n\s*\n/).flatMap((block) => openingParagraph(block) ?? [])

/** The focus areas of the sections. */
const deriveTags = (publication: Questions, { sections }: IssueDraft) =>
  inOptionOrder(
    publication,
    'focusAreas',
    sections.flatMap((section) => section.focusAreas),
  )

/** Minutes that the section takes to read. */
export const estimateMinutes = ({ heading, summary, body }: IssueSectionDraft): number =>
  readingMinutes({ worth: '', intro: '', closing: '', sections: [{ heading, summary, body }] })

/** The text of a drop: a first section without a heading, which stays first for every reader. */
export const isUntitledText = ({ heading }: { heading: string }, index: number): boolean =>
  index === 0 && heading.trim() === ''
