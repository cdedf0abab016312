import { createHash } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { guideFile, guides, issueSections, issues, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import type { DocumentKind } from '#shared/contracts/publishing/documents.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import { toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { markdownHeadings, markdownText } from '#shared/domain/markdown-text.ts'
import { showPlaceholders } from '#shared/domain/placeholders.ts'
import { sectionKindLabels } from '#shared/domain/section-kinds.ts'
import { verticalsOf } from '#shared/domain/verticals.ts'
import { readGuideText } from './guide-file.ts'
import { textsOf } from './issue-texts.ts'
import type { PublishedItem } from './published-item.ts'
import { readBlocks } from './read-issues.ts'
import { readPageItems } from './read-page-items.ts'

/** Items of the published documents of a kind, or of one of them. */
export const readPublishedItems: Record<DocumentKind | 'page', (tx: Tx, id?: string) => Promise<PublishedItem[]>> = {
  issue: readIssues,
  'prompt-pack': readPrompts,
  guide: readGuides,
  tool: readTools,
  page: readPageItems,
}

async function readIssues(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const isWanted = and(isNotNull(issues.publishedAt), id === undefined ? undefined : eq(issues.id, id))
  const drops = await tx.select().from(issues).where(isWanted)
  const rows = await tx
    .select({ issue: issues, section: issueSections })
    .from(issueSections)
    .innerJoin(issues, eq(issues.id, issueSections.issueId))
    .where(isWanted)
  const blocks = await readBlocks(tx, [
    ...drops.flatMap((issue) => textsOf(issue, [])),
    ...rows.flatMap(({ section }) => [section.body, ...Object.values(section.examples)]),
  ])
  const plain = (...texts: string[]) =>
    texts.map((text) => markdownText(showPlaceholders(expandBlocks(text, blocks)))).join('\n')
  return [
    ...drops.map(
      (issue): PublishedItem => ({
        ...refTo({ kind: 'issue', id: issue.id }, issue.slug),
        parentId: null,
        publishedAt: issue.publishedAt ?? issue.updatedAt,
        textHash: hashOf([issue.title, issue.preview, issue.worth, issue.intro, issue.closing, issue.question]),
        checkedOn: issue.checkedOn,
        validUntil: null,
        changeNote: '',
        day: issue.date,
        focusAreas: issue.tags,
        texts: {
          title: issue.title,
          headings: [],
          summary: issue.preview,
          body: plain(issue.intro, issue.worth, issue.closing, issue.question),
        },
      }),
    ),
    ...rows.map(
      ({ issue, section }): PublishedItem => ({
        ...refTo({ kind: 'section', id: section.id }, issue.slug),
        parentId: issue.id,
        publishedAt: issue.publishedAt ?? issue.updatedAt,
        textHash: hashOf([section.heading, section.summary, section.body, section.examples]),
        checkedOn: issue.checkedOn,
        ...validityOf(section),
        day: issue.date,
        parentTitle: issue.title,
        focusAreas: section.focusAreas,
        level: section.aiLevel,
        verticals: [
          ...new Set([
            ...Object.keys(section.examples),
            ...section.franchiseTypes.flatMap((type) => verticalsOf(type)),
          ]),
        ],
        texts: {
          title: section.heading || issue.title,
          headings: [issue.title, kindLabelOf(section.kind), ...markdownHeadings(expandBlocks(section.body, blocks))],
          summary: section.summary,
          body: plain(section.body, ...Object.values(section.examples)),
        },
      }),
    ),
  ]
}

const kindLabelOf = (kind: string | null) => (kind && (sectionKindLabels as Record<string, string>)[kind]) || ''

async function readPrompts(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select({ category: promptCategories, prompt: prompts })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(and(isNotNull(promptCategories.publishedAt), id === undefined ? undefined : eq(promptCategories.id, id)))
  return rows.map(({ category, prompt }) => ({
    ...refTo({ kind: 'prompt', id: prompt.id }),
    parentId: category.id,
    publishedAt: category.publishedAt ?? new Date(0),
    textHash: hashOf([prompt.title, prompt.when, prompt.body, prompt.dataLabel, prompt.checks, prompt.example]),
    checkedOn: category.checkedOn,
    ...validityOf(prompt),
    parentTitle: category.title,
    focusAreas: prompt.focusAreas,
    level: prompt.level,
    verticals: prompt.example ? [prompt.example.vertical] : [],
    texts: {
      title: prompt.title,
      headings: [category.title],
      summary: prompt.when,
      body: [showPlaceholders(prompt.body), ...prompt.checks, ...exampleTexts(prompt.example)].join('\n'),
    },
  }))
}

const exampleTexts = (example: (typeof prompts.$inferSelect)['example']) =>
  example ? [example.input, example.answer, example.mistake, example.corrected] : []

/** Another file is another text, even if the description stays. */
async function readGuides(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select({ guide: guides, upload: { hash: guideFile.hash, text: guideFile.text } })
    .from(guides)
    .leftJoin(guideFile, and(eq(guideFile.guideId, guides.id), eq(guideFile.version, guides.fileVersion)))
    .where(and(isNotNull(guides.publishedAt), id === undefined ? undefined : eq(guides.id, id)))
  const files = await Promise.all(
    rows.map(async (row) => ({ ...row, text: row.upload ? row.upload.text : await readGuideText(row.guide.file) })),
  )
  return files.map(({ guide, upload, text }) => ({
    ...refTo({ kind: 'guide', id: guide.id }),
    parentId: null,
    publishedAt: guide.publishedAt ?? new Date(0),
    textHash: hashOf([guide.title, guide.description, guide.inside, upload?.hash ?? text]),
    checkedOn: guide.checkedOn,
    ...validityOf(guide),
    parentTitle: guide.type,
    texts: {
      title: guide.title,
      headings: [guide.type, guide.format, ...guide.inside],
      summary: guide.description,
      body: text ?? '',
    },
  }))
}

async function readTools(tx: Tx, id?: string): Promise<PublishedItem[]> {
  const rows = await tx
    .select()
    .from(tools)
    .where(and(isNotNull(tools.publishedAt), id === undefined ? undefined : eq(tools.id, id)))
  return rows.map((tool) => ({
    ...refTo({ kind: 'tool', id: tool.id }),
    parentId: null,
    publishedAt: tool.publishedAt ?? new Date(0),
    textHash: hashOf([
      [tool.name, tool.verdict, tool.description, tool.useCase, tool.goodFor, tool.watchOut, tool.url],
      [tool.criteria, tool.priceNote, tool.skipIf, tool.rating, tool.testSheet],
    ]),
    checkedOn: tool.checkedOn,
    ...validityOf(tool),
    parentTitle: tool.category,
    texts: {
      title: tool.name,
      headings: [tool.category, tool.verdict],
      summary: tool.description,
      body: [
        tool.useCase,
        ...tool.goodFor,
        ...tool.watchOut,
        ...Object.entries(tool.criteria).map(
          ([criterion, text]) => `${(toolCriterionLabels as Record<string, string>)[criterion] ?? ''}: ${text}`,
        ),
        tool.priceNote,
        tool.skipIf,
      ].join('\n'),
    },
  }))
}

const validityOf = ({ validUntil, changeNote }: Pick<PublishedItem, 'validUntil' | 'changeNote'>) => ({
  validUntil,
  changeNote,
})

const refTo = (item: ItemRef, slug?: string) => ({ ...item, path: itemPath(item, slug) })

/** Adding a text to the list marks every item of the kind as changed. */
/** Marking a quotation as a text to copy, as migration 0071 did, is no change that readers are told about. */
const hashOf = (texts: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify(texts).replaceAll(/(?<="|\\n)[ \t]*(?:> ?)+\[!(?:PROMPT|COPY)\](?:\\n[ \t]*>)?\\n/g, ''))
    .digest('hex')
