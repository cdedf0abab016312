import { eq, isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { guides, issueSections, issues, promptCategories, prompts, tools } from '#server/db/schema/index.ts'
import type { LinkTargets } from '#shared/domain/internal-links.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import type { ContentFiles } from './content-files.ts'
import { findPage } from './read-pages.ts'

const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id))

export const linkTargetsOfFiles = ({
  drops,
  categories,
  guides: guideFiles,
  tools: toolFiles,
  pages,
}: ContentFiles): LinkTargets => ({
  sections: new Map(drops.map(({ slug, sections }) => [slug, idsOf(sections)])),
  prompts: idsOf(categories.flatMap((category) => category.prompts)),
  guides: idsOf(guideFiles),
  tools: idsOf(toolFiles),
  terms: idsOf(pages.glossary.terms),
  rules: idsOf(pages.safety.never),
})

/** Published items. */
export async function readLinkTargets(db: Db | Tx): Promise<LinkTargets> {
  const rows = await db
    .select({ slug: issues.slug, section: issueSections.id })
    .from(issues)
    .innerJoin(issueSections, eq(issueSections.issueId, issues.id))
    .where(isNotNull(issues.publishedAt))
  const sections = new Map<string, Set<string>>()
  for (const { slug, section } of rows) {
    sections.set(slug, (sections.get(slug) ?? new Set()).add(sectionAnchor(section)))
  }
  const promptRows = await db
    .select({ id: prompts.id })
    .from(prompts)
    .innerJoin(promptCategories, eq(promptCategories.id, prompts.categoryId))
    .where(isNotNull(promptCategories.publishedAt))
  const guideRows = await db.select({ id: guides.id }).from(guides).where(isNotNull(guides.publishedAt))
  const toolRows = await db.select({ id: tools.id }).from(tools).where(isNotNull(tools.publishedAt))
  const [glossary, safety] = await Promise.all([findPage(db, 'glossary'), findPage(db, 'safety')])
  return {
    sections,
    prompts: idsOf(promptRows),
    guides: idsOf(guideRows),
    tools: idsOf(toolRows),
    terms: idsOf(glossary?.terms ?? []),
    rules: idsOf(safety?.never ?? []),
  }
}
