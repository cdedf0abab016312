import { and, asc, count, desc, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { guides, issueSections, issues, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import {
  type LandingSamples,
  landingSamplesSchema,
  type SampleChoice,
} from '#shared/contracts/library/landing-samples.ts'
import { canReadSection, canReadWhole, visitor } from '#shared/domain/open-sections.ts'
import { openingParagraph } from '#shared/domain/opening-paragraph.ts'
import { showPlaceholders } from '#shared/domain/placeholders.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'

/**
 * Samples for the landing page, from published content. A chosen sample that was unpublished is replaced by the newest
 * issue or the first prompt, guide or tool.
 */
export async function readLandingSamples(db: Db, choice: SampleChoice, now: Date): Promise<LandingSamples> {
  const [drop, prompt, guide, tool, promptCount] = await Promise.all([
    readDrop(db, choice.drop, now),
    readPrompt(db, choice.promptId),
    readGuide(db, choice),
    readTool(db, choice.toolId),
    countPrompts(db),
  ])
  return landingSamplesSchema.parse({ drop, prompt, guide, promptCount, tool })
}

const chosenFirst = (column: Parameters<typeof eq>[0], value: string) => desc(sql`${column} = ${value}`)

async function readDrop(db: Db, { slug, section: id }: SampleChoice['drop'], now: Date) {
  const today = now.toISOString().slice(0, 10)
  const [issue] = await db
    .select()
    .from(issues)
    .where(and(isNotNull(issues.publishedAt), or(eq(issues.slug, slug), lte(issues.date, today))))
    .orderBy(chosenFirst(issues.slug, slug), desc(issues.date), asc(issues.id))
    .limit(1)
  if (!issue) return null
  const rows = await db
    .select()
    .from(issueSections)
    .where(eq(issueSections.issueId, issue.id))
    .orderBy(asc(issueSections.position))
  const sections = rows.map((section) => ({ ...section, heading: section.heading || issue.title }))
  const openings = sections.flatMap((section) => {
    const paragraph = canReadSection(visitor, section) ? openingParagraph(section.body) : null
    return paragraph ? [{ id: sectionAnchor(section.id), heading: section.heading, paragraph }] : []
  })
  const isWhole = canReadWhole(visitor, sections)
  return { ...issue, sections, isWhole, opening: openings.find((each) => each.id === id) ?? openings[0] ?? null }
}

async function readPrompt(db: Db, id: string) {
  const [row] = await db
    .select({ prompt: prompts, category: promptCategories.title })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(isNotNull(promptCategories.publishedAt))
    .orderBy(
      chosenFirst(prompts.id, id),
      asc(promptCategories.position),
      asc(promptCategories.id),
      asc(prompts.position),
    )
    .limit(1)
  if (!row) return null
  const { prompt, category } = row
  const categoryCount = await db.$count(prompts, eq(prompts.categoryId, prompt.categoryId))
  return { ...prompt, body: showPlaceholders(prompt.body.trim()), category, categoryCount }
}

async function countPrompts(db: Db): Promise<number> {
  const [row] = await db
    .select({ prompts: count() })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(isNotNull(promptCategories.publishedAt))
  return row?.prompts ?? 0
}

/** The first lines are known only for files from the content folder. */
async function readGuide(db: Db, { guideId, firstLines }: SampleChoice) {
  const [guide] = await db
    .select()
    .from(guides)
    .where(isNotNull(guides.publishedAt))
    .orderBy(chosenFirst(guides.id, guideId), asc(guides.position), asc(guides.id))
    .limit(1)
  if (!guide) return null
  return { ...guide, firstLines: guide.fileVersion === null ? (firstLines[guide.id] ?? []) : [] }
}

async function readTool(db: Db, id: string) {
  const [tool] = await db
    .select()
    .from(tools)
    .where(isNotNull(tools.publishedAt))
    .orderBy(chosenFirst(tools.id, id), asc(tools.position), asc(tools.id))
    .limit(1)
  return tool ?? null
}
