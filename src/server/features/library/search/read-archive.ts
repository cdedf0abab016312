import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentItems } from '#server/db/schema/index.ts'
import { type Archive, archiveCall } from '#shared/contracts/library/search.ts'
import { optionLabel, type Questions } from '#shared/domain/preferences.ts'

/** Published drops of a month, with a tag, or all; and the months and tags that there are. */
export async function readArchive(
  db: Db,
  publication: Questions,
  { month, tag }: { month: string | null; tag: string | null },
): Promise<Archive> {
  const rows = await db
    .select({
      id: contentItems.id,
      path: contentItems.path,
      title: contentItems.title,
      date: sql<string>`${contentItems.day}::text`,
      preview: contentItems.summary,
      tags: contentItems.focusAreas,
    })
    .from(contentItems)
    .where(and(eq(contentItems.kind, 'issue'), isNull(contentItems.removedAt)))
    .orderBy(desc(contentItems.day), contentItems.id)
  const issues = rows.map(({ path, ...issue }) => ({ ...issue, slug: path.slice(path.lastIndexOf('/') + 1) }))
  const isOfMonth = ({ date }: { date: string }) => month === null || date.startsWith(month)
  const hasTag = ({ tags }: { tags: readonly string[] }) => tag === null || tags.includes(tag)
  return archiveCall.output.parse({
    issues: issues.filter((issue) => isOfMonth(issue) && hasTag(issue)),
    months: countBy(issues.filter(hasTag).map(({ date }) => date.slice(0, 7))).map(([key, count]) => ({
      month: key,
      count,
    })),
    tags: countBy(issues.filter(isOfMonth).flatMap(({ tags }) => tags))
      .toSorted(([a], [b]) =>
        optionLabel(publication, 'focusAreas', a).localeCompare(optionLabel(publication, 'focusAreas', b)),
      )
      .map(([key, count]) => ({ tag: key, count })),
  })
}

function countBy(keys: readonly string[]): [key: string, count: number][] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts]
}
