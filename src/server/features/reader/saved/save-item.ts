import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentItems, savedItems } from '#server/db/schema/index.ts'
import type { saveItemCall } from '#shared/contracts/reader/saved.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'

/** Saves an item or removes it, unless a newer change is stored. @throws AppError not_found */
export async function saveItem(
  db: Db | Tx,
  userId: string,
  { kind, id, saved, at }: z.output<typeof saveItemCall.input>,
  now: Date,
) {
  const state = { saved: savedItems.saved, at: savedItems.at }
  const [written] = await db
    .insert(savedItems)
    .select(selectItem(db, { kind, id }, { userId, saved, at: changeInstant(at, now) }))
    .onConflictDoUpdate({
      target: [savedItems.userId, savedItems.kind, savedItems.itemId],
      set: { saved: sql`excluded.saved`, at: sql`excluded.at` },
      setWhere: sql`excluded.at > ${savedItems.at}`,
    })
    .returning(state)
  const row = await writtenOrStored(written, async () => {
    const [stored] = await db
      .select(state)
      .from(savedItems)
      .where(and(eq(savedItems.userId, userId), eq(savedItems.kind, kind), eq(savedItems.itemId, id)))
    return stored
  })
  return { saved: row.saved, at: row.at.toISOString() }
}

/** A row for the item if it was ever published. Columns are in the order of the table. */
const selectItem = (db: Db | Tx, { kind, id }: ItemRef, row: { userId: string; saved: boolean; at: Date }) =>
  db
    .select({
      userId: sql<string>`${row.userId}::uuid`.as('user_id'),
      kind: contentItems.kind,
      itemId: sql<string>`${contentItems.id}`.as('item_id'),
      saved: sql<boolean>`${row.saved}::boolean`.as('saved'),
      at: sql<Date>`${row.at.toISOString()}::timestamptz`.as('at'),
    })
    .from(contentItems)
    .where(and(eq(contentItems.kind, kind), eq(contentItems.id, id)))

/** The row that was written, or the stored one if it is as new. @throws AppError not_found if there is neither */
export async function writtenOrStored<Row>(written: Row | undefined, readStored: () => Promise<Row | undefined>) {
  const row = written ?? (await readStored())
  if (!row) throw new AppError('not_found')
  return row
}
