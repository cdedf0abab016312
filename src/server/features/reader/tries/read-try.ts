import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { contentItems, tries, tryTotals } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ReadTry, TriedItem, TryState } from '#shared/contracts/reader/tries.ts'
import { answersIn, minAnswers } from '#shared/domain/try-outcomes.ts'
import { AppError } from '#shared/errors.ts'

/** @throws AppError not_found for an item that was never published */
export async function readTry(db: Db | Tx, { userId }: Principal, item: TriedItem): Promise<ReadTry> {
  const [found] = await db
    .select({ title: contentItems.title, path: contentItems.path, removedAt: contentItems.removedAt })
    .from(contentItems)
    .where(and(eq(contentItems.kind, item.kind), eq(contentItems.id, item.id)))
  if (!found) throw new AppError('not_found')
  return {
    ...(await readState(db, userId, item)),
    title: found.title,
    path: found.removedAt ? null : found.path,
  }
}

export async function readState(db: Db | Tx, userId: string, { kind, id }: TriedItem): Promise<TryState> {
  const [row] = await db
    .select()
    .from(tries)
    .where(and(eq(tries.userId, userId), eq(tries.kind, kind), eq(tries.itemId, id)))
  const [totals] = await db
    .select({
      worked: tryTotals.worked,
      workedWithChanges: tryTotals.workedWithChanges,
      didNotWork: tryTotals.didNotWork,
    })
    .from(tryTotals)
    .where(and(eq(tryTotals.kind, kind), eq(tryTotals.itemId, id)))
  const { outcome, minutesPerWeek, note, sharedAt } = row ?? {}
  return {
    answer: outcome
      ? { outcome, minutesPerWeek: minutesPerWeek ?? null, note: note ?? '', shared: Boolean(sharedAt) }
      : null,
    changedAt: (row?.answeredAt ?? row?.removedAt)?.toISOString() ?? null,
    reminded: Boolean(row && !row.outcome && !row.removedAt && !row.askedAt),
    totals: totals && answersIn(totals) >= minAnswers ? totals : null,
  }
}
