import { and, asc, desc, eq, isNotNull } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { issueSections, issues } from '#server/db/schema/index.ts'
import { readBlocks } from '#server/features/content/read-blocks.ts'
import { type FullIssue, type Issue, issueSchema, issueSectionSchema } from '#shared/contracts/issues.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { AppError } from '#shared/errors.ts'
import { renderMarkdown } from './render-markdown.ts'

/** What is rendered of an issue, from its rows or from what the publisher is writing. */
export type IssueSource = Issue & { intro: string; closing: string }
export type SectionSource = Omit<FullIssue['sections'][number], 'html'> & { body: string }

/** Newest first; the reader's own order is made from it where the reader's preferences are known. */
export async function listIssues(db: Db | Tx): Promise<Issue[]> {
  const rows = await db
    .select()
    .from(issues)
    .where(isNotNull(issues.publishedAt))
    .orderBy(desc(issues.date), asc(issues.id))
  return z.array(issueSchema).parse(rows)
}

export type FindIssue = (slug: string) => Promise<FullIssue>

/**
 * One issue with its texts as HTML. Rendering is remembered per version of the row: each version is rendered once,
 * and a changed row is never answered with the old text. A block that changes makes the rows new that name it.
 */
export function createFindIssue(db: Db): FindIssue {
  const rendered = new LRUCache<string, FullIssue>({ max: 200 })
  return async (slug) => {
    // Also keeps characters away from the database that it cannot hold.
    if (!/^[a-z0-9-]+$/.test(slug)) throw new AppError('not_found')
    const [row] = await db
      .select()
      .from(issues)
      .where(and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))
    if (!row) throw new AppError('not_found')
    const version = `${row.id} ${row.updatedAt.toISOString()}`
    const known = rendered.get(version)
    if (known) return known
    const sections = await db
      .select()
      .from(issueSections)
      .where(eq(issueSections.issueId, row.id))
      .orderBy(asc(issueSections.position))
    const issue = await renderIssue(db, issueTextsSchema.parse(row), z.array(sectionTextsSchema).parse(sections))
    rendered.set(version, issue)
    return issue
  }
}

const issueTextsSchema = issueSchema.extend({ intro: z.string(), closing: z.string() })
const sectionTextsSchema = issueSectionSchema.omit({ html: true }).extend({ body: z.string() })

/** The one way from Markdown to what readers see; the publisher's preview takes it as well. */
export async function renderIssue(
  db: Db | Tx,
  issue: IssueSource,
  sections: readonly SectionSource[],
): Promise<FullIssue> {
  const blocks = await readBlocks(db, [issue.intro, issue.closing, ...sections.map(({ body }) => body)])
  // A page says to all alike what a letter says by name: the word that stands where nothing is known.
  const render = (markdown: string) =>
    renderMarkdown(replaceMergeFields(expandBlocks(markdown, blocks), ({ fallback }) => fallback))
  return {
    ...issueSchema.parse(issue),
    introHtml: render(issue.intro),
    sections: sections.map((section) => issueSectionSchema.parse({ ...section, html: render(section.body) })),
    closingHtml: render(issue.closing),
  }
}
