import { eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { excludedColumns } from '#server/db/excluded-columns.ts'
import { guides, issues, promptCategories, prompts, seedState, tools } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { writeSections } from '#server/features/content/write-sections.ts'
import { customOrderKey } from '#server/features/publishing/order-content.ts'
import type { OrderedKind } from '#shared/contracts/documents.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import type { ContentFiles } from './content-files.ts'
import { parseContent, readRawContent } from './read-content.ts'
import { readEditedInAdmin, sectionsOf, seedDocuments, withoutEdited } from './seed-documents.ts'
import { inSeedTurn } from './seed-lock.ts'

/**
 * Loads content/ into the database when the files differ from those loaded last; otherwise one read and nothing else.
 * Two nodes that start at once take turns. What readers have changed (download counts) is kept, and so is all that the
 * publisher has made, edited or moved here.
 * @returns whether anything was loaded
 * @throws ContentError naming file and field; nothing is changed then
 */
export async function seedContent(deps: Pick<Deps, 'database' | 'clock'>, directory?: string): Promise<boolean> {
  const { db } = deps.database
  const raw = readRawContent(directory)
  if ((await loadedHash(db)) === raw.hash) return false
  const files = await parseContent(raw)
  return inSeedTurn(db, async (tx) => {
    if ((await loadedHash(tx)) === raw.hash) return false
    const edited = await readEditedInAdmin(tx)
    const free = await withoutEdited(tx, files, edited)
    const now = deps.clock()
    await seedIssues(tx, free, now)
    await seedPrompts(tx, free, edited['prompt-pack'])
    await seedGuides(tx, free, edited.guide)
    await seedTools(tx, free, edited.tool)
    await seedDocuments(tx, free, now)
    const state = { name: 'content', hash: raw.hash, seededAt: now }
    await tx.insert(seedState).values(state).onConflictDoUpdate({ target: seedState.name, set: state })
    return true
  })
}

async function loadedHash(db: Db | Tx): Promise<string | undefined> {
  const [row] = await db.select({ hash: seedState.hash }).from(seedState).where(eq(seedState.name, 'content'))
  return row?.hash
}

/** Issues are never deleted here: what was sent to readers keeps its record even when the file is gone. */
async function seedIssues(tx: Tx, { drops }: ContentFiles, now: Date) {
  for (const { sections, ...drop } of drops) {
    const row = {
      ...drop,
      id: drop.slug,
      readingMinutes: readingMinutes({ ...drop, sections }),
      updatedAt: now,
    }
    await tx.insert(issues).values(row).onConflictDoUpdate({ target: issues.id, set: row })
    await writeSections(tx, row.id, sectionsOf({ slug: drop.slug, sections }))
  }
}

async function seedPrompts(tx: Tx, { categories }: ContentFiles, edited: readonly string[]) {
  const rows = categories.flatMap(({ key, prompts: list }) =>
    list.map((prompt, index) => ({ ...prompt, categoryId: key, position: index + 1 })),
  )
  const categoryRows = categories.map(({ prompts: _, ...category }) => ({ ...category, id: category.key }))
  const keys = idsOf(categoryRows)
  if (categoryRows.length > 0) {
    await tx
      .insert(promptCategories)
      .values(categoryRows)
      .onConflictDoUpdate({ target: promptCategories.id, set: await changesOf(tx, promptCategories, 'prompt-pack') })
  }
  if (rows.length > 0) {
    await tx
      .insert(prompts)
      .values(rows)
      .onConflictDoUpdate({ target: prompts.id, set: excludedColumns(prompts) })
    await tx.delete(prompts).where(sql`${inArray(prompts.categoryId, keys)} and ${notInArray(prompts.id, idsOf(rows))}`)
  }
  await tx.delete(promptCategories).where(notInArray(promptCategories.id, [...keys, ...edited]))
}

/** A count that has gone up stays up; a higher start in the file still counts. */
async function seedGuides(tx: Tx, files: ContentFiles, edited: readonly string[]) {
  const rows = files.guides.map((guide, index) => ({ ...guide, position: index + 1 }))
  if (rows.length > 0) {
    await tx
      .insert(guides)
      .values(rows)
      .onConflictDoUpdate({
        target: guides.id,
        set: {
          ...(await changesOf(tx, guides, 'guide')),
          downloads: sql`greatest(${guides.downloads}, excluded.downloads)`,
        },
      })
  }
  await tx.delete(guides).where(notInArray(guides.id, [...idsOf(rows), ...edited]))
}

async function seedTools(tx: Tx, files: ContentFiles, edited: readonly string[]) {
  const rows = files.tools.map((tool, index) => ({ ...tool, position: index + 1 }))
  if (rows.length > 0) {
    await tx
      .insert(tools)
      .values(rows)
      .onConflictDoUpdate({ target: tools.id, set: await changesOf(tx, tools, 'tool') })
  }
  await tx.delete(tools).where(notInArray(tools.id, [...idsOf(rows), ...edited]))
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

type Shown = typeof promptCategories | typeof guides | typeof tools

/**
 * The same without what is not the files' to say: since when readers see it, and its place once the publisher moved
 * things.
 */
async function changesOf(tx: Tx, table: Shown, kind: OrderedKind): Promise<Record<string, SQL>> {
  const { publishedAt: _, position, ...columns } = excludedColumns(table)
  const isMoved = (await tx.$count(seedState, eq(seedState.name, customOrderKey(kind)))) > 0
  return isMoved || !position ? columns : { ...columns, position }
}
