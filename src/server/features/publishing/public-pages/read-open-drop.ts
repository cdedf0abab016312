import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { contentDocument, issueSections, issues } from '#server/db/schema/index.ts'
import { textsOf } from '#server/features/library/content/issue-texts.ts'
import { numberOf, readBlocks } from '#server/features/library/content/read-issues.ts'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { isBeginningOf } from '#shared/domain/derive-issue.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { canReadSection, canReadWhole, type Viewer, visitor } from '#shared/domain/open-sections.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { instantOf } from '#shared/domain/zoned-time.ts'

/** A published drop with only what its reader may read: for visitors, a section for members has no text here. */
export type OpenDrop = {
  slug: string
  title: string
  /** Calendar day. */
  date: string
  preview: string
  /** True if the text that the reader may read begins with the preview. */
  repeatsPreview: boolean
  tags: string[]
  /** The drop's place among the published drops by date, from 1. */
  number: number
  readingMinutes: number
  publishedAt: Date
  updatedAt: Date
  isWhole: boolean
  /** Empty unless the reader may read all of it, as is `closingHtml`. */
  worthHtml: string
  introHtml: string
  sections: OpenSection[]
  closingHtml: string
}
/** `html` is null for a section that the reader may not read. */
export type OpenSection = { anchor: string; heading: string; minutes: number; html: string | null }

/** Null if no published drop has the slug. */
export async function readOpenDrop(db: Db, slug: string, viewer: Viewer = visitor): Promise<OpenDrop | null> {
  const [found] = await db
    .select({ issue: issues, isEdited: contentDocument.editedInAdmin })
    .from(issues)
    .leftJoin(contentDocument, and(eq(contentDocument.kind, 'issue'), eq(contentDocument.id, issues.id)))
    .where(and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))
  const issue = found?.issue
  if (!issue?.publishedAt) return null
  // A sample from a file has a day only: its moment is when the file was loaded.
  const publishedAt = found?.isEdited
    ? issue.publishedAt
    : new Date(instantOf(`${issue.date}T12:00`, await readTimeZone(db)))
  const sections = await db
    .select()
    .from(issueSections)
    .where(eq(issueSections.issueId, issue.id))
    .orderBy(asc(issueSections.position))
  const blocks = await readBlocks(db, textsOf(issue, sections))
  const render = (markdown: string) =>
    renderMarkdown(replaceMergeFields(expandBlocks(markdown, blocks), ({ fallback }) => fallback))
  const isWhole = canReadWhole(viewer, sections)
  const { title, date, preview, tags, readingMinutes, updatedAt } = issue
  return {
    ...{ slug, title, date, preview, tags, readingMinutes, publishedAt, updatedAt, isWhole },
    repeatsPreview: isBeginningOf(preview, {
      intro: issue.intro,
      sections: sections.filter((section) => canReadSection(viewer, section)),
    }),
    number: await numberOf(db, issue),
    worthHtml: isWhole ? render(issue.worth) : '',
    introHtml: render(issue.intro),
    sections: sections.map((section) => ({
      anchor: sectionAnchor(section.id),
      heading: section.heading,
      minutes: section.minutes,
      html: canReadSection(viewer, section) ? render(section.body) : null,
    })),
    closingHtml: isWhole ? render(issue.closing) : '',
  }
}
