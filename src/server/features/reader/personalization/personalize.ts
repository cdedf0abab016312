import { asc, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { issues, promptCategories } from '#server/db/schema/index.ts'
import { findPreferences } from '#server/features/reader/preferences/preferences-store.ts'
import type { Personalization } from '#shared/contracts/reader/personalization.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'
import { formatList } from '#shared/domain/format.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { inOptionOrder, optionLabel, optionLabels, type Questions } from '#shared/domain/preferences.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** Explains for one focus area which drops moved to the top. @param area its label */
const dropLabel = (area: string, dropCount: number): string => {
  if (dropCount === 0) return `No drops about ${area} yet; new ones will move to the top`
  return dropCount === 1
    ? `The drop about ${area} is at the top because you chose this topic`
    : `Drops about ${area} are at the top because you chose this topic`
}

const promptCategoryLabel = (area: string, hasCategory: boolean): string =>
  hasCategory ? `${area} is at the top because you chose this topic` : `No prompt pack for ${area} yet`

type ContentType = 'weekly-drops' | 'prompt-packs'

/** Number of drops per tag, and the prompt categories in their default order. */
export type ContentFacts = {
  dropsByTag: ReadonlyMap<string, number>
  categories: readonly { key: string; title: string }[]
}

const empty: Personalization = {
  preferences: { focusAreas: [] },
  recommendations: { labels: [], priorityCategories: [] },
  contextLabels: { focus: '', aiLevel: '' },
}

/**
 * Explains the order of content for this reader. Exposes no subscriber-only content, because every signed-in user may
 * call it.
 */
export async function personalize(
  db: Db,
  publication: Publication,
  userId: string,
  contentType: ContentType,
): Promise<Personalization> {
  const preferences = await findPreferences(db, userId)
  if (!preferences) return empty
  const { recommendations, ...described } = describeOrder(publication, preferences, contentType, await readFacts(db))
  const labels = recommendations.labels.map((label) => inOwnWords(publication, label))
  return { ...described, recommendations: { ...recommendations, labels } }
}

/** Prioritizes categories whose title is one of the focus areas, by its label or its key. */
export function describeOrder(
  publication: Questions,
  preferences: Preferences,
  contentType: ContentType,
  { dropsByTag, categories }: ContentFacts,
): Personalization {
  const areas = inOptionOrder(publication, 'focusAreas', preferences.focusAreas)
  const labelOf = (area: string) => optionLabel(publication, 'focusAreas', area)
  const isAbout = (title: string, area: string) => title === labelOf(area) || title === area
  const priority = categories.filter(({ title }) => areas.some((area) => isAbout(title, area)))
  const labels =
    contentType === 'weekly-drops'
      ? areas.map((area) => dropLabel(labelOf(area), dropsByTag.get(area) ?? 0))
      : areas.map((area) =>
          promptCategoryLabel(
            labelOf(area),
            priority.some(({ title }) => isAbout(title, area)),
          ),
        )
  return {
    preferences: { focusAreas: areas },
    recommendations: { labels, priorityCategories: priority.map(({ key }) => key) },
    contextLabels: {
      focus: formatList(optionLabels(publication, 'focusAreas', areas)),
      aiLevel: optionLabel(publication, 'aiLevel', preferences.aiLevel),
    },
  }
}

async function readFacts(db: Db): Promise<ContentFacts> {
  const tag = sql<string>`unnest(${issues.tags})`.as('tag')
  const tagged = db.select({ tag }).from(issues).where(isNotNull(issues.publishedAt)).as('tagged')
  const [counts, categories] = await Promise.all([
    db.select({ tag: tagged.tag, drops: sql<number>`count(*)::int` }).from(tagged).groupBy(tagged.tag),
    db
      .select({ key: promptCategories.key, title: promptCategories.title })
      .from(promptCategories)
      .where(isNotNull(promptCategories.publishedAt))
      .orderBy(asc(promptCategories.position), asc(promptCategories.id)),
  ])
  return { dropsByTag: new Map(counts.map(({ tag, drops }) => [tag, drops])), categories }
}
