import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { contentItems, tryTotals } from '#server/db/schema/index.ts'
import { listSharedNotes } from '#server/features/reader/tries/tries-report.ts'

const maxNotes = 3
const maxItems = 3

/** Items that readers tried lately, with their answers. Totals change by at least five answers at a time. */
export async function readReaders(db: Db) {
  const [notes, items] = await Promise.all([
    listSharedNotes(db, { limit: maxNotes }),
    db
      .select({
        totals: tryTotals,
        title: contentItems.title,
        path: contentItems.path,
        removedAt: contentItems.removedAt,
      })
      .from(tryTotals)
      .innerJoin(contentItems, and(eq(contentItems.kind, tryTotals.kind), eq(contentItems.id, tryTotals.itemId)))
      .where(and(isNotNull(tryTotals.countedAt), isNotNull(tryTotals.breakdown)))
      .orderBy(desc(tryTotals.countedAt), tryTotals.kind, tryTotals.itemId)
      .limit(maxItems),
  ])
  return {
    notes: notes.items,
    items: items.flatMap(({ totals, title, path, removedAt }) =>
      totals.countedAt
        ? [
            {
              kind: totals.kind,
              id: totals.itemId,
              title,
              path: removedAt ? null : path,
              totals,
              countedAt: totals.countedAt.toISOString(),
            },
          ]
        : [],
    ),
  }
}
