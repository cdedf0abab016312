import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Db, fromMicroseconds, type Tx, toMicroseconds } from '#server/db/database.ts'
import { collectionItems, collections, contentItems, savedItems } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { savedItemsCall, saveItemCall } from '#shared/contracts/reader/saved.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { contentKinds, type ItemRef } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'

const defaultPageSize = 50
/** Time in microseconds since 1970, kind and id of the last row. */
const position = z.tuple([z.string().regex(/^\d{1,17}$/), z.enum(contentKinds), z.string().max(200)])

const parents = alias(contentItems, 'parents')

/** The columns that a list is ordered by: when an item was saved, or when it was added to the collection. */
type OrderColumns = { at: AnyPgColumn; kind: AnyPgColumn; itemId: AnyPgColumn }

/** Newest first, in the order of `saved_items_list_idx`, `saved_items_kind_idx` or `collection_items_list_idx`. */
export async function listSaved(
  db: Db,
  userId: string,
  { collectionId, kind, cursor, limit = defaultPageSize }: z.output<typeof savedItemsCall.input>,
): Promise<z.input<typeof savedItemsCall.output>> {
  const order: OrderColumns = collectionId ? collectionItems : savedItems
  const conditions: (SQL | undefined)[] = [
    eq(savedItems.userId, userId),
    sql`${savedItems.saved}`,
    kind ? eq(savedItems.kind, kind) : undefined,
    cursor ? afterPosition(order, decodeCursor(cursor, position)) : undefined,
  ]
  const selected = db
    .select({
      kind: savedItems.kind,
      id: savedItems.itemId,
      title: contentItems.title,
      path: sql<string | null>`case when ${contentItems.removedAt} is null then ${contentItems.path} end`,
      parentTitle: parents.title,
      savedAt: savedItems.at,
      micros: toMicroseconds(order.at),
    })
    .from(savedItems)
    .innerJoin(contentItems, and(eq(contentItems.kind, savedItems.kind), eq(contentItems.id, savedItems.itemId)))
    .leftJoin(
      parents,
      and(eq(savedItems.kind, 'section'), eq(parents.kind, 'issue'), eq(parents.id, contentItems.parentId)),
    )
    .$dynamic()
  if (collectionId) {
    selected.innerJoin(
      collectionItems,
      and(
        eq(collectionItems.userId, savedItems.userId),
        eq(collectionItems.kind, savedItems.kind),
        eq(collectionItems.itemId, savedItems.itemId),
        eq(collectionItems.collectionId, collectionId),
        sql`${collectionItems.member}`,
      ),
    )
    conditions.push(
      eq(collectionItems.userId, userId),
      sql`exists (select 1 from ${collections}
        where ${collections.userId} = ${userId}::uuid and ${collections.id} = ${collectionId}::uuid and not ${collections.deleted})`,
    )
  }
  const rows = await selected
    .where(and(...conditions))
    .orderBy(...[order.at, order.kind, order.itemId].map((column) => sql`${column} desc nulls last`))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.micros, last.kind, last.id])
  return {
    items: page.map(({ micros: _, savedAt, ...item }) => ({ ...item, savedAt: savedAt.toISOString() })),
    nextCursor,
  }
}

const afterPosition = ({ at, kind, itemId }: OrderColumns, [micros, ...ref]: z.output<typeof position>) =>
  sql`(${at}, ${kind}, ${itemId}) < (${fromMicroseconds(micros)}, ${ref[0]}::text, ${ref[1]}::text)`

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
