import { asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { guides, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import {
  type Guide,
  guideSchema,
  type PromptCategory,
  promptSchema,
  type Tool,
  toolSchema,
} from '#shared/contracts/library/library.ts'
import { linkGuidePages, type PageReader } from './guide-pages.ts'
import { readItemNotes } from './item-notes.ts'
import type { PromptIssues } from './prompt-issues.ts'

/** All published categories with their prompts, each with the issues that use it; or `only` these, which were bought. */
export async function listPromptCategories(
  db: Db,
  findPromptIssues: () => Promise<PromptIssues>,
  only: readonly string[] | null = null,
): Promise<PromptCategory[]> {
  const [issuesOf, notes] = await Promise.all([findPromptIssues(), readItemNotes(db)])
  const rows = await db
    .select({ category: promptCategories, prompt: prompts })
    .from(promptCategories)
    .leftJoin(prompts, eq(prompts.categoryId, promptCategories.id))
    .where(only ? inArray(promptCategories.id, [...only]) : isNotNull(promptCategories.publishedAt))
    .orderBy(asc(promptCategories.position), asc(promptCategories.id), asc(prompts.position))
  const categories = new Map<string, PromptCategory>()
  for (const { category, prompt } of rows) {
    const { id, key, title, summary, checkedOn } = category
    const entry = categories.get(id) ?? { id, key, title, summary, checkedOn, count: 0, prompts: [] }
    categories.set(id, entry)
    if (!prompt) continue
    const ofPrompt = {
      issues: issuesOf.get(prompt.id) ?? [],
      run: notes.runOf(prompt.id),
      rules: notes.rulesFor(prompt.id),
    }
    entry.prompts.push({ ...promptSchema.parse(prompt), ...ofPrompt })
    entry.count += 1
  }
  return [...categories.values()]
}

/** `reader` is whose links the page images get. */
export async function listGuides(
  deps: Pick<Deps, 'database' | 'secrets' | 'clock'>,
  reader: PageReader,
  only: readonly string[] | null = null,
): Promise<Guide[]> {
  const rows = await deps.database.db
    .select()
    .from(guides)
    .where(only ? inArray(guides.id, [...only]) : isNotNull(guides.publishedAt))
    .orderBy(asc(guides.position), asc(guides.id))
  // An uploaded file has pages and a year of its own, which aren't known.
  const notes = await readItemNotes(deps.database.db)
  const guidesOf = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      rules: notes.rulesFor(row.id),
      ...(row.fileVersion === null
        ? { pages: await linkGuidePages(deps, reader, row.pages) }
        : { pages: [], edition: null }),
    })),
  )
  return z.array(guideSchema).parse(guidesOf)
}

export async function listTools(db: Db): Promise<Tool[]> {
  const rows = await db
    .select()
    .from(tools)
    .where(isNotNull(tools.publishedAt))
    .orderBy(asc(tools.position), asc(tools.id))
  const notes = await readItemNotes(db)
  return z.array(toolSchema).parse(
    rows.map((row) => ({
      ...row,
      hasTestSheet: row.testSheet !== null,
      run: notes.runOf(row.id),
      changes: notes.changesOf(row.id),
    })),
  )
}
