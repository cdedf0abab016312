import { randomUUID } from 'node:crypto'
import type { PostReaders } from '#shared/contracts/operations/post-imports.ts'
import {
  emptyDraft,
  emptySection,
  type IssueDraft,
  type IssueSectionDraft,
  issueDraftSchema,
  toSlug,
} from '#shared/contracts/publishing/documents.ts'
import { deriveTexts, maxPreviewLength } from '#shared/domain/derive-issue.ts'
import { replaceImages } from '#shared/domain/markdown-images.ts'
import { canReadSection, canReadWhole, visitor } from '#shared/domain/open-sections.ts'
import { inOptionOrder, type Questions } from '#shared/domain/preferences.ts'
import { dayOf } from '#shared/domain/publishing-calendar.ts'
import { findOption, questionName } from '#shared/domain/questions.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { splitAtHeadings } from './markdown-blocks.ts'
import { PostFileError, type PostInfo, slugOf } from './source-post.ts'
import type { Part } from './split-at-marks.ts'

const maxSections = 60
/** Longest text of a section. */
const maxSectionLength = 60_000
const closedHeading = 'The part for members'
const closedPreview = 'For members.'

/**
 * Makes a drop of a post. In an open one, the text before the first heading is the opening, and each heading of that size begins
 * a section. Otherwise the open beginning is the opening, and closed text keeps its headings inside, since those of sections are
 * public. @throws PostFileError if it doesn't fit
 */
export function buildDraft(
  publication: Questions,
  post: PostInfo,
  texts: readonly Part[],
  timeZone: string,
): { draft: IssueDraft; notes: string[] } {
  const title = oneLine(post.title).slice(0, 200) || 'Untitled post'
  const parts = splitPost(texts, title)
  const found = (tag: string) => findOption(publication, 'focusAreas', tag)
  const tags = inOptionOrder(
    publication,
    'focusAreas',
    post.tags.flatMap((tag) => found(tag) ?? []),
  )
  const lost = post.tags.map((tag) => tag.trim()).filter((tag) => tag && !found(tag) && !tag.startsWith('#'))
  const sections = parts.sections.map(({ heading, text, isOpen }) => ({
    ...emptySection(randomUUID()),
    heading: heading.slice(0, 200),
    focusAreas: tags,
    minutes: readingMinutes({ worth: '', intro: text, closing: '', sections: [] }),
    openToEveryone: isOpen,
    body: text,
  }))
  const preview = shorten(oneLine(post.excerpt) || previewOf(parts.intro, sections), maxPreviewLength)
  const draft = issueDraftSchema.safeParse({
    ...(emptyDraft('issue', title) as IssueDraft),
    slug: slugOf(post) || toSlug(title),
    date: post.publishedAt ? (post.day ?? dayOf(post.publishedAt.toISOString(), timeZone)) : '',
    preview,
    tags,
    intro: parts.intro,
    sections: sections.slice(0, maxSections),
  })
  if (!draft.success) throw new PostFileError(`It doesn’t fit into a drop: ${draft.error.issues[0]?.message ?? ''}`)
  return {
    draft: draft.data,
    notes: [
      ...(lost.length > 0
        ? [`Tags that aren’t ${questionName(publication, 'focusAreas').toLowerCase()}: ${lost.slice(0, 10).join(', ')}`]
        : []),
      ...(sections.length > maxSections ? [`Removed: everything after ${maxSections} sections`] : []),
    ],
  }
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/\s+\S*$/, '')}…`

/** Empty if it can be derived from the text, which only an open text may be used for. */
function previewOf(intro: string, sections: readonly IssueSectionDraft[]): string {
  const open = sections.filter((section) => canReadSection(visitor, section))
  if (open.length === sections.length) return ''
  return deriveTexts({ ...(emptyDraft('issue', '') as IssueDraft), intro, sections: open }).preview || closedPreview
}

type Piece = { heading: string; text: string; isOpen: boolean }

function splitPost(given: readonly Part[], title: string): { intro: string; sections: Piece[] } {
  if (given.every(({ isOpen }) => isOpen)) {
    const { before, parts } = splitAtHeadings(given.map(({ text }) => text).join('\n\n'))
    const sections = parts.map(({ heading, body }) => ({
      ...{ heading: heading || title, text: body || heading || title, isOpen: true },
    }))
    if (sections.length > 0) return { intro: before, sections }
    return { intro: '', sections: [{ heading: '', text: before || title, isOpen: true }] }
  }
  const [first] = given
  const rest = first?.isOpen ? given.slice(1) : given
  const sections = rest.flatMap(({ text, isOpen }, index): Piece[] => {
    if (!isOpen) {
      return splitLong(text).map((piece, place) => ({
        ...{ heading: index + place === 0 ? '' : closedHeading, text: piece, isOpen },
      }))
    }
    const { before, parts } = splitAtHeadings(text)
    return [
      { heading: title, text: before, isOpen },
      ...parts.map((part) => ({ heading: part.heading || title, text: part.body || part.heading, isOpen })),
    ].filter((piece) => piece.text)
  })
  return { intro: first?.isOpen ? first.text : '', sections }
}

/** Cuts a text that is too long for one section before headings. */
function splitLong(text: string): string[] {
  if (text.length <= maxSectionLength) return [text]
  const { before, parts, largest } = splitAtHeadings(text)
  const pieces = [before, ...parts.map(({ heading, body }) => `${'#'.repeat(largest)} ${heading}\n\n${body}`)]
  const joined: string[] = []
  for (const piece of pieces.filter(Boolean)) {
    const last = joined.at(-1)
    if (last === undefined || last.length + piece.length + 2 > maxSectionLength) joined.push(piece)
    else joined[joined.length - 1] = `${last}\n\n${piece}`
  }
  return joined
}

/** Who reads a drop once it's published. Pictures alone don't count. */
export function readersOf({ intro, sections }: IssueDraft): PostReaders {
  if (canReadWhole(visitor, sections)) return 'everyone'
  const open = [intro, ...sections.filter((section) => canReadSection(visitor, section)).map(({ body }) => body)]
  return open.some((text) => /[\p{L}\p{N}]/u.test(replaceImages(text, () => ''))) ? 'part' : 'members'
}
