import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, fromMicroseconds, toMicroseconds } from '#server/db/database.ts'
import { contentItems, tries, tryTotals } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { type adminSharedNotesCall, type adminTriesCall, triedKinds } from '#shared/contracts/reader/tries.ts'
import { minAnswers } from '#shared/domain/try-outcomes.ts'

const defaultPageSize = 20
type Page = { cursor?: string | null; limit?: number }

const answers = sql<number>`(${tryTotals.worked} + ${tryTotals.workedWithChanges} + ${tryTotals.didNotWork})`
const itemPosition = z.tuple([z.number().int(), z.enum(triedKinds), z.string()])

/** Reports what works, as last counted: the publisher sees the same totals as readers, and groups of at least five. */
export async function listTriedItems(
  db: Db,
  { cursor, limit = defaultPageSize }: Page,
): Promise<z.input<typeof adminTriesCall.output>> {
  const after = cursor ? decodeCursor(cursor, itemPosition) : null
  const found = await db
    .select({
      totals: tryTotals,
      title: contentItems.title,
      path: contentItems.path,
      removedAt: contentItems.removedAt,
      answers,
    })
    .from(tryTotals)
    .innerJoin(contentItems, and(eq(contentItems.kind, tryTotals.kind), eq(contentItems.id, tryTotals.itemId)))
    .where(
      and(
        sql`${answers} >= ${minAnswers}`,
        after
          ? sql`(-${answers}, ${tryTotals.kind}, ${tryTotals.itemId}) > (${-after[0]}::int, ${after[1]}, ${after[2]})`
          : undefined,
      ),
    )
    .orderBy(desc(answers), tryTotals.kind, tryTotals.itemId)
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.answers, last.totals.kind, last.totals.itemId])
  return {
    items: page.map(({ totals, title, path, removedAt }) => ({
      kind: totals.kind,
      id: totals.itemId,
      title,
      path: removedAt ? null : path,
      totals,
      breakdown: totals.breakdown,
    })),
    nextCursor,
  }
}

const notePosition = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid(), z.enum(triedKinds), z.string()])

/** Notes whose readers share them now. Withdrawing, changing the text or deleting the account removes them here. */
export async function listSharedNotes(
  db: Db,
  { cursor, limit = defaultPageSize }: Page,
): Promise<z.input<typeof adminSharedNotesCall.output>> {
  const after = cursor ? decodeCursor(cursor, notePosition) : null
  const micros = toMicroseconds(tries.sharedAt)
  const found = await db
    .select({
      row: tries,
      micros,
      title: contentItems.title,
      path: contentItems.path,
      removedAt: contentItems.removedAt,
    })
    .from(tries)
    .innerJoin(contentItems, and(eq(contentItems.kind, tries.kind), eq(contentItems.id, tries.itemId)))
    .where(
      and(
        isNotNull(tries.sharedAt),
        after
          ? sql`(${tries.sharedAt}, ${tries.userId}, ${tries.kind}, ${tries.itemId}) < (${fromMicroseconds(after[0])}, ${after[1]}::uuid, ${after[2]}, ${after[3]})`
          : undefined,
      ),
    )
    .orderBy(desc(tries.sharedAt), desc(tries.userId), desc(tries.kind), desc(tries.itemId))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(found, limit, (last) => [
    last.micros,
    last.row.userId,
    last.row.kind,
    last.row.itemId,
  ])
  return {
    items: page.flatMap(({ row, title, path, removedAt }) => {
      const { kind, itemId, outcome, note, sharedAt } = row
      return outcome && sharedAt
        ? { kind, id: itemId, title, path: removedAt ? null : path, outcome, note, sharedAt: sharedAt.toISOString() }
        : []
    }),
    nextCursor,
  }
}
