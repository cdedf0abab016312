import { eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import { type Db, excludedColumns, type Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { contentPages, guides, issues, promptCategories, prompts, seedState, tools } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { checkContentFiles } from '#server/features/library/content/check-content-files.ts'
import type { ContentFiles } from '#server/features/library/content/content-files.ts'
import { itemNotesId, itemNotesOf } from '#server/features/library/content/item-notes.ts'
import {
  ContentProblemsError,
  describeProblems,
  parseContentFiles,
} from '#server/features/library/content/parse-content-files.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { translationsId } from '#server/features/library/content/translations.ts'
import { writeSections } from '#server/features/library/content/write-sections.ts'
import { customOrderKey } from '#server/features/publishing/documents/arrange-content.ts'
import { samplesRemovedKey } from '#server/features/publishing/site-settings/hidden-pages.ts'
import { type FeatureJobs, scheduledJobs } from '#server/jobs/jobs.ts'
import type { OrderedKind } from '#shared/contracts/publishing/documents.ts'
import { touchSetsOf } from '#shared/domain/franchisor-rules.ts'
import { readingMinutes } from '#shared/domain/reading-minutes.ts'
import { localTimeOf } from '#shared/domain/zoned-time.ts'
import { contentDirectory, readContentDirectory } from './read-content-directory.ts'
import { excludeEdited, readEditedInAdmin, sectionDraftsOf, seedDocuments } from './seed-documents.ts'
import { withSeedLock } from './seed-lock.ts'
import { seedSeries } from './seed-series.ts'
import { seedSitePages } from './seed-site-pages.ts'

/**
 * Loads content/ into the database if the files have changed since the last load. Keeps download counts, and everything
 * that was created, edited or reordered in the admin. Loads no documents while the samples are removed, and a drop from
 * the day of its date on.
 * @returns whether anything was loaded
 * @throws ContentFileError, ContentProblemsError before anything is changed
 */
export async function seedContent(
  deps: Pick<Deps, 'database' | 'clock'>,
  directory = contentDirectory,
): Promise<boolean> {
  const { db } = deps.database
  const today = localTimeOf(deps.clock().toISOString(), await readTimeZone(db)).slice(0, 10)
  const { hash, files: texts } = readContentDirectory(directory, today)
  if ((await loadedHash(db)) === hash) return false
  const content = await parseContentFiles(texts)
  const problems = checkContentFiles(content)
  if (problems.length > 0) throw new ContentProblemsError(await describeProblems(problems, texts))
  return withSeedLock(db, async (tx) => {
    if ((await loadedHash(tx)) === hash) return false
    const edited = await readEditedInAdmin(tx)
    const files = await excludeEdited(tx, content, edited)
    const now = deps.clock()
    // The publisher removed the samples; they are loaded again once they were put back.
    if ((await tx.$count(seedState, eq(seedState.name, samplesRemovedKey))) === 0) {
      await seedIssues(tx, files, now)
      await seedPrompts(tx, files, edited['prompt-pack'])
      await seedGuides(tx, files, edited.guide)
      await seedTools(tx, files, edited.tool)
      await seedDocuments(tx, files, now)
      await seedSitePages(tx, content, now)
    }
    await seedPages(tx, content, now)
    await seedSeries(tx, directory, now)
    await syncContentItems(tx, now)
    const state = { name: 'content', hash, seededAt: now }
    await tx.insert(seedState).values(state).onConflictDoUpdate({ target: seedState.name, set: state })
    return true
  })
}

async function loadedHash(db: Db | Tx): Promise<string | undefined> {
  const [row] = await db.select({ hash: seedState.hash }).from(seedState).where(eq(seedState.name, 'content'))
  return row?.hash
}

/** Keeps issues whose file was deleted: they may have been sent to readers. */
async function seedIssues(tx: Tx, { drops }: ContentFiles, now: Date) {
  for (const { sections, ...drop } of drops) {
    const row = {
      ...drop,
      id: drop.slug,
      readingMinutes: readingMinutes({ ...drop, sections }),
      touchSets: touchSetsOf(sections),
      updatedAt: now,
    }
    await tx.insert(issues).values(row).onConflictDoUpdate({ target: issues.id, set: row })
    await writeSections(tx, row.id, sectionDraftsOf({ slug: drop.slug, sections }))
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
      .onConflictDoUpdate({
        target: promptCategories.id,
        set: await overwrittenColumns(tx, promptCategories, 'prompt-pack'),
      })
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

/** The download count never goes down: the higher of the file's and the stored count wins. */
async function seedGuides(tx: Tx, files: ContentFiles, edited: readonly string[]) {
  const rows = files.guides.map((guide, index) => ({ ...guide, position: index + 1 }))
  if (rows.length > 0) {
    await tx
      .insert(guides)
      .values(rows)
      .onConflictDoUpdate({
        target: guides.id,
        set: {
          ...(await overwrittenColumns(tx, guides, 'guide')),
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
      .onConflictDoUpdate({ target: tools.id, set: await overwrittenColumns(tx, tools, 'tool') })
  }
  await tx.delete(tools).where(notInArray(tools.id, [...idsOf(rows), ...edited]))
}

async function seedPages(tx: Tx, content: ContentFiles, now: Date) {
  const pages = { ...content.pages, [itemNotesId]: itemNotesOf(content), [translationsId]: content.translations }
  for (const [id, page] of Object.entries(pages)) {
    const row = { id, page, updatedAt: now }
    await tx.insert(contentPages).values(row).onConflictDoUpdate({ target: contentPages.id, set: row })
  }
  await tx.delete(contentPages).where(notInArray(contentPages.id, Object.keys(pages)))
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

type OrderedTable = typeof promptCategories | typeof guides | typeof tools

/** Columns that the file overwrites: not the publishing date, and not the position once this kind was reordered in the admin. */
async function overwrittenColumns(tx: Tx, table: OrderedTable, kind: OrderedKind): Promise<Record<string, SQL>> {
  const { publishedAt: _, position, ...columns } = excludedColumns(table)
  const hasCustomOrder = (await tx.$count(seedState, eq(seedState.name, customOrderKey(kind)))) > 0
  return hasCustomOrder || !position ? columns : { ...columns, position }
}

/** Loads the drops that became due, within the hour of their day. */
export const seedContentJobs = (deps: Pick<Deps, 'database' | 'clock'>): FeatureJobs =>
  scheduledJobs({ 'seed-content': { cron: '1 * * * *', retryLimit: 1, run: () => seedContent(deps) } })
