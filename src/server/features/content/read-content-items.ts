import { createHash } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  type contentItems,
  guideFile,
  guides,
  issueSections,
  issues,
  promptCategories,
  prompts,
  tools,
} from '#server/db/schema/index.ts'
import type { DocumentKind } from '#shared/contracts/documents.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'

type Columns = 'kind' | 'id' | 'title' | 'path' | 'parentId' | 'publishedAt' | 'textHash' | 'checkedOn'
export type PublishedItem = Pick<Required<typeof contentItems.$inferInsert>, Columns>

/** Items of the published documents of a kind, or of one of them. */
export const readPublishedItems: Record<DocumentKind, (tx: Tx, id?: string) => Promise<PublishedItem[]>> = {
  issue: readIssues,
  'prompt-pack': readPrompts,
  guide: readGuides,
  tool: readTools,
}

async function readIssues(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const isWanted = and(isNotNull(issues.publishedAt), id === undefined ? undefined : eq(issues.id, id))
  const drops = await tx.select().from(issues).where(isWanted)
  const sections = await tx
    .select({ issue: issues, section: issueSections })
    .from(issueSections)
    .innerJoin(issues, eq(issues.id, issueSections.issueId))
    .where(isWanted)
  return [
    ...drops.map((issue) => ({
      ...refTo({ kind: 'issue', id: issue.id }, issue.slug),
      title: issue.title,
      parentId: null,
      publishedAt: issue.publishedAt ?? issue.updatedAt,
      textHash: hashOf([issue.title, issue.preview, issue.worth, issue.intro, issue.closing, issue.question]),
      checkedOn: issue.checkedOn,
    })),
    ...sections.map(({ issue, section }) => ({
      ...refTo({ kind: 'section', id: section.id }, issue.slug),
      title: section.heading,
      parentId: issue.id,
      publishedAt: issue.publishedAt ?? issue.updatedAt,
      textHash: hashOf([section.heading, section.summary, section.body, section.examples]),
      checkedOn: issue.checkedOn,
    })),
  ]
}

async function readPrompts(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select({ category: promptCategories, prompt: prompts })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(and(isNotNull(promptCategories.publishedAt), id === undefined ? undefined : eq(promptCategories.id, id)))
  return rows.map(({ category, prompt }) => ({
    ...refTo({ kind: 'prompt', id: prompt.id }),
    title: prompt.title,
    parentId: category.id,
    publishedAt: category.publishedAt ?? new Date(0),
    textHash: hashOf([prompt.title, prompt.when, prompt.body, prompt.dataLabel, prompt.checks, prompt.example]),
    checkedOn: category.checkedOn,
  }))
}

/** Another file is another text, even if the description stays. */
async function readGuides(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select({ guide: guides, file: guideFile.hash })
    .from(guides)
    .leftJoin(guideFile, and(eq(guideFile.guideId, guides.id), eq(guideFile.version, guides.fileVersion)))
    .where(and(isNotNull(guides.publishedAt), id === undefined ? undefined : eq(guides.id, id)))
  return rows.map(({ guide, file }) => ({
    ...refTo({ kind: 'guide', id: guide.id }),
    title: guide.title,
    parentId: null,
    publishedAt: guide.publishedAt ?? new Date(0),
    textHash: hashOf([guide.title, guide.description, guide.inside, file ?? [guide.file, guide.edition]]),
    checkedOn: guide.checkedOn,
  }))
}

async function readTools(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select()
    .from(tools)
    .where(and(isNotNull(tools.publishedAt), id === undefined ? undefined : eq(tools.id, id)))
  return rows.map((tool) => ({
    ...refTo({ kind: 'tool', id: tool.id }),
    title: tool.name,
    parentId: null,
    publishedAt: tool.publishedAt ?? new Date(0),
    textHash: hashOf([
      [tool.name, tool.verdict, tool.description, tool.useCase, tool.goodFor, tool.watchOut, tool.url],
      [tool.criteria, tool.priceNote, tool.skipIf, tool.rating, tool.testSheet],
    ]),
    checkedOn: tool.checkedOn,
  }))
}

const refTo = (item: ItemRef, slug?: string) => ({ ...item, path: itemPath(item, slug) })

/** Adding a text to the list marks every item of the kind as changed. */
const hashOf = (texts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex')
