import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { issueSections, issues } from '#server/db/schema/index.ts'
import type { PromptIssue } from '#shared/contracts/library/library.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { readBlocks } from './read-issues.ts'

/** By prompt id. Prompts that no published issue links to are missing. */
export type PromptIssues = ReadonlyMap<string, PromptIssue[]>

/** Keeps the result until an issue or one of its blocks changes, since finding it reads the texts of all issues. */
export function createFindPromptIssues(db: Db): () => Promise<PromptIssues> {
  let known: { version: string; found: PromptIssues } | null = null
  return async () => {
    const version = await readVersion(db)
    if (known?.version !== version) known = { version, found: await findPromptIssues(db) }
    return known.found
  }
}

/** Differs once an issue was published, changed or unpublished. */
async function readVersion(db: Db): Promise<string> {
  const [row] = await db
    .select({
      version: sql<string>`coalesce(md5(string_agg(${issues.id} || ${issues.updatedAt}, ' ' order by ${issues.id})), '')`,
    })
    .from(issues)
    .where(isNotNull(issues.publishedAt))
  return row?.version ?? ''
}

async function findPromptIssues(db: Db): Promise<PromptIssues> {
  const rows = await db
    .select({ issue: issues, section: issueSections })
    .from(issues)
    .leftJoin(
      issueSections,
      and(
        eq(issueSections.issueId, issues.id),
        sql`concat(${issueSections.body}, ${issueSections.examples}) ~ '/portal/prompt-packs#|[{][{]'`,
      ),
    )
    .where(isNotNull(issues.publishedAt))
    .orderBy(desc(issues.date), asc(issues.id), asc(issueSections.position))
  const total = new Set(rows.map(({ issue }) => issue.id)).size
  const numbers = new Map<string, number>()
  const texts = rows.flatMap(({ issue, section }) => {
    const isFirst = !numbers.has(issue.id)
    if (isFirst) numbers.set(issue.id, total - numbers.size)
    const number = numbers.get(issue.id) ?? 1
    const entry = { slug: issue.slug, number, title: issue.title, anchor: null }
    return [
      ...(section ? [{ ...entry, anchor: sectionAnchor(section.id), text: textOfSection(section) }] : []),
      ...(isFirst ? [{ ...entry, text: `${issue.intro}\n${issue.closing}` }] : []),
    ]
  })
  const blocks = await readBlocks(
    db,
    texts.map(({ text }) => text),
  )
  const found = new Map<string, PromptIssue[]>()
  for (const { text, ...issue } of texts) {
    for (const [, id = ''] of expandBlocks(text, blocks).matchAll(/\/portal\/prompt-packs#([a-z0-9-]+)/g)) {
      const known = found.get(id) ?? []
      if (!known.some(({ slug }) => slug === issue.slug)) found.set(id, [...known, issue])
    }
  }
  return found
}

const textOfSection = ({ body, examples }: { body: string; examples: object }) =>
  [body, ...Object.values<string>(examples as Record<string, string>)].join('\n')
