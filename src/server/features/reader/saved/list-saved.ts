import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { fromMicroseconds, toMicroseconds } from '#server/db/keyset-pagination.ts'
import { collectionItems, collections, contentItems, savedItems } from '#server/db/schema/index.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { savedItemsCall } from '#shared/contracts/reader/saved.ts'
import { contentKinds } from '#shared/domain/content-items.ts'

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
