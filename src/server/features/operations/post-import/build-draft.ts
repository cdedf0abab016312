import { randomUUID } from 'node:crypto'
import {
  emptyDraft,
  emptySection,
  type IssueDraft,
  issueDraftSchema,
  toSlug,
} from '#shared/contracts/publishing/documents.ts'
import { inOptionOrder, type Questions } from '#shared/domain/preferences.ts'
import { findOption, questionName } from '#shared/domain/questions.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { firstParagraph, splitAtHeadings } from './markdown-blocks.ts'
import { PostFileError, type PostInfo } from './source-post.ts'

const maxPreviewLength = 180
const maxSummaryLength = 200
const maxSections = 60

/**
 * Makes a drop of a post: the text before the first second-level heading is the opening, each such heading begins a
 * section. Fields that the source doesn't have get values that the publisher can change.
 * @throws PostFileError if it doesn't fit
 */
export function buildDraft(
  publication: Questions,
  post: PostInfo,
  markdown: string,
): { draft: IssueDraft; notes: string[] } {
  const title = oneLine(post.title).slice(0, 200) || 'Untitled post'
  const parts = splitPost(markdown, title)
  const found = (tag: string) => findOption(publication, 'focusAreas', tag)
  const tags = inOptionOrder(
    publication,
    'focusAreas',
    post.tags.flatMap((tag) => found(tag) ?? []),
  )
  const lost = post.tags.map((tag) => tag.trim()).filter((tag) => tag && !found(tag) && !tag.startsWith('#'))
  const sections = parts.sections.map(({ heading, body }) => ({
    ...emptySection(randomUUID()),
    heading: heading.slice(0, 200),
    summary: summarize(body),
    focusAreas: tags,
    minutes: readingMinutes({ worth: '', intro: body, closing: '', sections: [] }),
    body,
  }))
  const preview = shorten(oneLine(post.excerpt) || summarize(parts.intro) || title, maxPreviewLength)
  const draft = issueDraftSchema.safeParse({
    ...(emptyDraft('issue', title) as IssueDraft),
    slug: toSlug(post.slug) || toSlug(title),
    date: post.publishedAt?.toISOString().slice(0, 10) ?? '',
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

/** The first paragraph of a text, shortened. */
const summarize = (markdown: string) => shorten(firstParagraph(markdown), maxSummaryLength)

function splitPost(markdown: string, title: string) {
  const { before, parts } = splitAtHeadings(markdown)
  if (parts.length > 0) {
    const sections = parts.map(({ heading, body }) => ({ heading: heading || title, body: body || heading || title }))
    return { intro: before || sections[0]?.heading || title, sections }
  }
  // A post without headings opens with its first paragraph; the rest is one section.
  const [intro = '', ...others] = before.split(/\n{2,}/)
  const body = others.join('\n\n')
  return body
    ? { intro, sections: [{ heading: title, body }] }
    : { intro: title, sections: [{ heading: title, body: intro || title }] }
}
