import { asc, desc, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { issueSections, issues } from '#server/db/schema/index.ts'
import { type FullIssue, type Issue, issueSchema, issueSectionSchema } from '#shared/contracts/issues.ts'
import { AppError } from '#shared/errors.ts'
import { renderMarkdown } from './render-markdown.ts'

type IssueRow = typeof issues.$inferSelect
type SectionRow = typeof issueSections.$inferSelect

/** Newest first; the reader's own order is made from it where the reader's preferences are known. */
export async function listIssues(db: Db | Tx): Promise<Issue[]> {
  const rows = await db.select().from(issues).orderBy(desc(issues.date), asc(issues.id))
  return z.array(issueSchema).parse(rows)
}

export type FindIssue = (slug: string) => Promise<FullIssue>

/**
 * One issue with its texts as HTML. Rendering is remembered per version of the row: each version is rendered once,
 * and a changed row is never answered with the old text.
 */
export function createFindIssue(db: Db): FindIssue {
  const rendered = new LRUCache<string, FullIssue>({ max: 200 })
  return async (slug) => {
    // Also keeps characters away from the database that it cannot hold.
    if (!/^[a-z0-9-]+$/.test(slug)) throw new AppError('not_found')
    const [row] = await db.select().from(issues).where(eq(issues.slug, slug))
    if (!row) throw new AppError('not_found')
    const version = `${row.id} ${row.updatedAt.toISOString()}`
    const known = rendered.get(version)
    if (known) return known
    const sections = await db
      .select()
      .from(issueSections)
      .where(eq(issueSections.issueId, row.id))
      .orderBy(asc(issueSections.position))
    const issue = renderIssue(row, sections)
    rendered.set(version, issue)
    return issue
  }
}

const renderIssue = (row: IssueRow, sections: readonly SectionRow[]): FullIssue => ({
  ...issueSchema.parse(row),
  introHtml: renderMarkdown(row.intro),
  sections: sections.map((section) => issueSectionSchema.parse({ ...section, html: renderMarkdown(section.body) })),
  closingHtml: renderMarkdown(row.closing),
})
