import { and, asc, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentBlock, contentItems, issueSections, issues, recording } from '#server/db/schema/index.ts'
import { type FullIssue, issueSchema, issueSectionSchema, type ListedIssue } from '#shared/contracts/library/issues.ts'
import { expandBlocks, referencedBlockIds } from '#shared/domain/block-references.ts'
import { isBeginningOf } from '#shared/domain/derive-issue.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { verticals } from '#shared/domain/verticals.ts'
import { AppError } from '#shared/errors.ts'
import { mapValues, textsOf } from './issue-texts.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Bodies of the blocks that the texts reference, by id. Skips the query if there are none. */
export async function readBlocks(db: Db | Tx, texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = referencedBlockIds(texts.join('\n'))
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: contentBlock.id, body: contentBlock.body })
    .from(contentBlock)
    .where(inArray(contentBlock.id, ids))
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Markdown of an issue, from the published tables or from a draft. */
type IssueSource = z.infer<typeof issueTextsSchema>
type SectionSource = z.infer<typeof sectionTextsSchema>

const issueTextsSchema = issueSchema.extend({
  worth: z.string(),
  intro: z.string(),
  closing: z.string(),
  question: z.string(),
  editorNote: z.string(),
})
const sectionTextsSchema = issueSectionSchema
  .omit({ html: true, examplesHtml: true })
  .extend({ body: z.string(), examples: z.partialRecord(z.enum(verticals), z.string()) })

/** Newest first. The order for a reader is applied where preferences are known. */
export async function listIssues(db: Db | Tx): Promise<ListedIssue[]> {
  const rows = await db
    .select()
    .from(issues)
    .where(isNotNull(issues.publishedAt))
    .orderBy(desc(issues.date), asc(issues.id))
  return rows.map((row, index) => ({ ...issueSchema.parse(row), number: rows.length - index }))
}

export type FindIssue = (slug: string) => Promise<FullIssue>

/**
 * Reads an issue with its texts as HTML. Caches rendered issues by `updated_at`, which also changes when one of their
 * blocks is edited.
 */
export function createFindIssue(db: Db): FindIssue {
  const rendered = new LRUCache<string, FullIssue>({ max: 200 })
  return async (slug) => {
    // The schema also rejects characters that PostgreSQL can't store.
    if (!/^[a-z0-9-]+$/.test(slug)) throw new AppError('not_found')
    const [found] = await db
      .select({ row: issues, recordingSeconds: recording.seconds })
      .from(issues)
      .leftJoin(recording, and(eq(recording.issueId, issues.id), eq(recording.status, 'current')))
      .where(and(eq(issues.slug, slug), isNotNull(issues.publishedAt)))
    if (!found) throw new AppError('not_found')
    const { row, recordingSeconds } = found
    const number = await numberOf(db, row)
    const version = `${row.id} ${row.updatedAt.toISOString()}`
    const known = rendered.get(version)
    if (known) return { ...known, number, recordingSeconds, prompts: await linkedPrompts(db, known) }
    const sections = await db
      .select()
      .from(issueSections)
      .where(eq(issueSections.issueId, row.id))
      .orderBy(asc(issueSections.position))
    const issue = await renderIssue(db, issueTextsSchema.parse(row), z.array(sectionTextsSchema).parse(sections))
    rendered.set(version, issue)
    return { ...issue, number, recordingSeconds, prompts: await linkedPrompts(db, issue) }
  }
}

/** Those that readers can open, in the order of the texts. */
async function linkedPrompts(db: Db, { introHtml, sections, closingHtml }: FullIssue): Promise<FullIssue['prompts']> {
  const html = [introHtml, ...sections.flatMap((section) => [section.html, ...Object.values(section.examplesHtml)])]
  const links = [...html, closingHtml].join(' ').matchAll(/href="\/portal\/prompt-packs#([^"]+)"/g)
  const ids = [...new Set([...links].flatMap(([, id]) => id ?? []))]
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: contentItems.id, title: contentItems.title })
    .from(contentItems)
    .where(and(eq(contentItems.kind, 'prompt'), inArray(contentItems.id, ids), isNull(contentItems.removedAt)))
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/** The issue's place among the published issues by date, from 1. */
export async function numberOf(db: Db | Tx, { date, id }: { date: string; id: string }): Promise<number> {
  const [row] = await db
    .select({ number: count() })
    .from(issues)
    .where(
      and(
        isNotNull(issues.publishedAt),
        sql`${issues.date} <= ${date}::date and (${issues.date} < ${date}::date or ${issues.id} >= ${id})`,
      ),
    )
  return row?.number ?? 1
}

/** Renders Markdown for the portal and for previews in the admin. */
export async function renderIssue(
  db: Db | Tx,
  issue: IssueSource,
  sections: readonly SectionSource[],
): Promise<FullIssue> {
  const blocks = await readBlocks(db, textsOf(issue, sections))
  // Merge fields are for emails; pages show their fallback.
  const render = (markdown: string) =>
    renderMarkdown(replaceMergeFields(expandBlocks(markdown, blocks), ({ fallback }) => fallback))
  return {
    ...issueSchema.parse(issue),
    preview: isBeginningOf(issue.preview, { intro: issue.intro, sections }) ? '' : issue.preview,
    number: null,
    prompts: [],
    recordingSeconds: null,
    worthHtml: render(issue.worth),
    introHtml: render(issue.intro),
    sections: sections.map((section) =>
      issueSectionSchema.parse({
        ...section,
        html: render(section.body),
        examplesHtml: mapValues(section.examples, render),
      }),
    ),
    closingHtml: render(issue.closing),
    question: issue.question,
    editorNote: issue.editorNote,
    rules: [],
  }
}
