import { and, eq, max, notInArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db, excludedColumns, type Tx } from '#server/db/database.ts'
import { guides, issues, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import { textsOf } from '#server/features/library/content/issue-texts.ts'
import { readBlocks } from '#server/features/library/content/read-issues.ts'
import { writeSections } from '#server/features/library/content/write-sections.ts'
import type { DocumentKind, OrderedKind } from '#shared/contracts/publishing/documents.ts'
import type { Publishable } from '#shared/contracts/publishing/publishable.ts'
import { expandBlocks } from '#shared/domain/block-references.ts'
import { touchSetsOf } from '#shared/domain/franchisor-rules.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { publishedTables } from './stored-document.ts'

type Issue = {
  worth: string
  intro: string
  closing: string
  sections: readonly { heading: string; summary: string; body: string; examples: object }[]
}

/** Reading time of an issue in minutes, with blocks expanded. */
export async function countReadingMinutes(db: Db | Tx, issue: Issue): Promise<number> {
  const blocks = await readBlocks(db, textsOf(issue, issue.sections))
  const expand = (text: string) => expandBlocks(text, blocks)
  return readingMinutes({
    worth: expand(issue.worth),
    intro: expand(issue.intro),
    closing: expand(issue.closing),
    sections: issue.sections.map((section) => ({ ...section, body: expand(section.body) })),
  })
}

type Show<Kind extends DocumentKind> = (tx: Tx, id: string, document: Publishable<Kind>, now: Date) => Promise<void>

/** Copy a document to the tables that readers see. Already published ones keep their `published_at`. */
export const publishedWriters: { [Kind in DocumentKind]: Show<Kind> } = {
  issue: writeIssue,
  'prompt-pack': writePromptPack,
  guide: writeGuide,
  tool: writeTool,
}

const keepPublishedAt = (column: AnyPgColumn, now: Date): SQL =>
  sql`coalesce(${column}, ${now.toISOString()}::timestamptz)`

/** Nodes cache rendered issues by `updated_at`, so every version needs a later one. */
export const nextUpdatedAt = (now: Date): SQL =>
  sql`greatest(${now.toISOString()}::timestamptz, ${issues.updatedAt} + interval '1 millisecond')`

async function writeIssue(tx: Tx, id: string, drop: Publishable<'issue'>, now: Date) {
  const { sections, ...texts } = drop
  const timed = sections.map((section) => ({ ...section, minutes: section.minutes ?? 1 }))
  const minutes = await countReadingMinutes(tx, drop)
  const row = { ...texts, readingMinutes: minutes, touchSets: touchSetsOf(sections) }
  await tx
    .insert(issues)
    .values({ ...row, id, publishedAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: issues.id,
      set: { ...row, publishedAt: keepPublishedAt(issues.publishedAt, now), updatedAt: nextUpdatedAt(now) },
    })
  await writeSections(tx, id, timed)
}

/** Newly published documents go to the end of the list. */
async function nextPosition(tx: Tx, kind: OrderedKind): Promise<number> {
  const table = publishedTables[kind]
  const [row] = await tx.select({ last: max(table.position) }).from(table)
  return (row?.last ?? 0) + 1
}

async function writePromptPack(tx: Tx, id: string, pack: Publishable<'prompt-pack'>, now: Date) {
  const { title, summary, checkedOn } = pack
  await tx
    .insert(promptCategories)
    .values({
      id,
      key: id,
      title,
      summary,
      checkedOn,
      position: await nextPosition(tx, 'prompt-pack'),
      publishedAt: now,
    })
    .onConflictDoUpdate({
      target: promptCategories.id,
      set: { title, summary, checkedOn, publishedAt: keepPublishedAt(promptCategories.publishedAt, now) },
    })
  const rows = pack.prompts.map((prompt, index) => ({ ...prompt, categoryId: id, position: index + 1 }))
  const ids = rows.map((row) => row.id)
  await tx.delete(prompts).where(and(eq(prompts.categoryId, id), notInArray(prompts.id, ids)))
  await tx
    .insert(prompts)
    .values(rows)
    .onConflictDoUpdate({ target: prompts.id, set: excludedColumns(prompts) })
}

/** Updates neither the download count nor the file from the content folder, which can be chosen again. */
async function writeGuide(tx: Tx, id: string, guide: Publishable<'guide'>, now: Date) {
  const position = await nextPosition(tx, 'guide')
  await tx
    .insert(guides)
    .values({ ...guide, id, position, downloads: 0, file: '', publishedAt: now })
    .onConflictDoUpdate({ target: guides.id, set: { ...guide, publishedAt: keepPublishedAt(guides.publishedAt, now) } })
}

async function writeTool(tx: Tx, id: string, tool: Publishable<'tool'>, now: Date) {
  await tx
    .insert(tools)
    .values({ ...tool, id, position: await nextPosition(tx, 'tool'), publishedAt: now })
    .onConflictDoUpdate({ target: tools.id, set: { ...tool, publishedAt: keepPublishedAt(tools.publishedAt, now) } })
}
