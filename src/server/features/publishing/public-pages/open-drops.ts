import { and, asc, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { contentDocument, issueSections, issues } from '#server/db/schema/index.ts'
import { textsOf } from '#server/features/library/content/issue-texts.ts'
import { numberOf, readBlocks } from '#server/features/library/content/read-issues.ts'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { toSlug } from '#shared/contracts/publishing/documents.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { isBeginningOf } from '#shared/domain/derive-issue.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { canReadSection, canReadWhole, type Viewer, visitor } from '#shared/domain/open-sections.ts'
import { optionKeys, optionLabel, type Questions } from '#shared/domain/preferences.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { instantOf } from '#shared/domain/zoned-time.ts'

/** A published drop with only what its reader may read: for visitors, a section for members has no text here. */
export type OpenDrop = {
  id: string
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
    ...{ id: issue.id, slug, title, date, preview, tags, readingMinutes, publishedAt, updatedAt, isWhole },
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

export const dropsPerPage = 30

/** @param tag of the drop; @param month such as "2026-11" */
type DropFilter = { tag?: string | undefined; month?: string | undefined }

type ListedDrop = {
  slug: string
  title: string
  date: string
  preview: string
  readingMinutes: number
  updatedAt: Date
  /** Everyone may read all of it. */
  isWhole: boolean
}

const isOut = isNotNull(issues.publishedAt)
/** SQL: true if members alone read something of a drop. */
export const hasClosedSection = sql`exists (
  select 1 from ${issueSections} s where s.issue_id = ${issues.id} and not s.open_to_everyone)`

const where = ({ tag, month }: DropFilter): SQL | undefined =>
  and(
    isOut,
    tag === undefined ? undefined : sql`${tag} = any(${issues.tags})`,
    month === undefined ? undefined : sql`to_char(${issues.date}, 'YYYY-MM') = ${month}`,
  )

/** One page of the published drops, newest first, and how many there are in all. */
export async function listDrops(
  db: Db,
  filter: DropFilter,
  page: number,
): Promise<{ drops: ListedDrop[]; total: number }> {
  const [drops, total] = await Promise.all([
    db
      .select({
        slug: issues.slug,
        title: issues.title,
        date: issues.date,
        preview: issues.preview,
        readingMinutes: issues.readingMinutes,
        updatedAt: issues.updatedAt,
        isWhole: sql<boolean>`not ${hasClosedSection}`,
      })
      .from(issues)
      .where(where(filter))
      .orderBy(desc(issues.date), asc(issues.id))
      .limit(dropsPerPage)
      .offset((page - 1) * dropsPerPage),
    db.$count(issues, where(filter)),
  ])
  return { drops, total }
}

/** Search engines read at most 50,000 addresses of a sitemap. */
const maxAddresses = 49_000

/** Addresses and titles of all published drops, newest first. */
export const listDropAddresses = (db: Db) =>
  db
    .select({ slug: issues.slug, title: issues.title, preview: issues.preview, updatedAt: issues.updatedAt })
    .from(issues)
    .where(isOut)
    .orderBy(desc(issues.date), asc(issues.id))
    .limit(maxAddresses)

/** "customer-service" for Customer Service, for addresses. A label like another one has the slug of its key. */
export function slugOfTag(publication: Questions, tag: string): string {
  const slugOf = (key: string) => toSlug(optionLabel(publication, 'focusAreas', key))
  const slug = slugOf(tag)
  const first = optionKeys(publication, 'focusAreas').find((key) => slugOf(key) === slug)
  return slug !== '' && (first === undefined || first === tag) ? slug : toSlug(tag)
}

/** The tag with a slug, also with the one that it had before it was renamed. */
export const findTag = (publication: Questions, slug: string): string | undefined =>
  optionKeys(publication, 'focusAreas').find((key) => slugOfTag(publication, key) === slug) ??
  optionKeys(publication, 'focusAreas').find((key) => toSlug(key) === slug)

/** Months with published drops, newest first, and their tags, with the number of drops of each. */
export async function listGroups(
  db: Db,
  publication: Questions,
): Promise<{ months: { month: string; drops: number }[]; tags: { tag: string; drops: number }[] }> {
  const month = sql<string>`to_char(${issues.date}, 'YYYY-MM')`
  const tag = sql<string>`unnest(${issues.tags})`
  const [months, tags] = await Promise.all([
    db.select({ month, drops: count() }).from(issues).where(isOut).groupBy(month).orderBy(desc(month)),
    db.select({ tag, drops: count() }).from(issues).where(isOut).groupBy(tag),
  ])
  const labelOf = ({ tag: key }: { tag: string }) => optionLabel(publication, 'focusAreas', key)
  return { months, tags: tags.toSorted((a, b) => labelOf(a).localeCompare(labelOf(b), 'en')) }
}

/** The drops before and after one by date, for links at its end. */
export async function readNeighbors(db: Db, slug: string) {
  const neighbor = (isBefore: boolean) => sql<{ slug: string; title: string } | null>`(
    select jsonb_build_object('slug', n.slug, 'title', n.title) from ${issues} n
    where n.published_at is not null and ${
      isBefore
        ? sql`n.date <= ${issues.date} and (n.date < ${issues.date} or n.id > ${issues.id})`
        : sql`n.date >= ${issues.date} and (n.date > ${issues.date} or n.id < ${issues.id})`
    }
    order by n.date ${isBefore ? sql`desc` : sql`asc`}, n.id ${isBefore ? sql`asc` : sql`desc`} limit 1)`
  const [row] = await db
    .select({ earlier: neighbor(true), later: neighbor(false) })
    .from(issues)
    .where(eq(issues.slug, slug))
  return row ?? { earlier: null, later: null }
}
