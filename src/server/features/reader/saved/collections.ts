import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { collectionItems, collections } from '#server/db/schema/index.ts'
import {
  type Collection,
  type collectItemCall,
  type deleteCollectionCall,
  type ItemCollection,
  maxCollections,
  maxCountedItems,
  type saveCollectionCall,
} from '#shared/contracts/reader/saved.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { nameKey, numberEqualNames } from '#shared/domain/number-equal-names.ts'
import { AppError } from '#shared/errors.ts'
import { saveItem, writtenOrStored } from './saved-items.ts'

type Row = Pick<typeof collections.$inferSelect, 'id' | 'name' | 'at'>

/** The reader's collections by name, with equal names told apart. */
async function readCollections(db: Db | Tx, userId: string): Promise<Row[]> {
  const rows = await db
    .select({ id: collections.id, name: collections.name, at: collections.at })
    .from(collections)
    .where(and(eq(collections.userId, userId), eq(collections.deleted, false)))
  return numberEqualNames(rows).toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

export async function listCollections(db: Db, userId: string): Promise<Collection[]> {
  const [all, counts] = await Promise.all([
    readCollections(db, userId),
    queryRows<{ id: string; count: number }>(db, countItems(userId)),
  ])
  const countOf = new Map(counts.map(({ id, count }) => [id, count]))
  return all.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString(), count: countOf.get(rest.id) ?? 0 }))
}

/** Stops counting at the limit, so that a large collection costs as much as a small one. */
const countItems = (userId: string): SQL => sql`
  select c.id, items.count from collections c, lateral (
    select count(*)::int as count from (
      select 1 from collection_items i
        join saved_items s on s.user_id = i.user_id and s.kind = i.kind and s.item_id = i.item_id and s.saved
        where i.user_id = c.user_id and i.collection_id = c.id and i.member limit ${maxCountedItems}
    ) counted
  ) items where c.user_id = ${userId}::uuid and not c.deleted`

export async function listCollectionsOf(db: Db, userId: string, { kind, id }: ItemRef): Promise<ItemCollection[]> {
  const [all, changes] = await Promise.all([
    readCollections(db, userId),
    db
      .select({ id: collectionItems.collectionId, member: collectionItems.member, at: collectionItems.at })
      .from(collectionItems)
      .where(and(eq(collectionItems.userId, userId), eq(collectionItems.kind, kind), eq(collectionItems.itemId, id))),
  ])
  const changeOf = new Map(changes.map((change) => [change.id, change]))
  return all.map(({ id: collectionId, name }) => {
    const change = changeOf.get(collectionId)
    return { id: collectionId, name, member: change?.member ?? false, changedAt: change?.at.toISOString() ?? null }
  })
}

/**
 * Creates, renames or restores a collection, unless a newer change is stored.
 * @throws AppError name_taken, too_many_collections
 */
export async function saveCollection(
  db: Db,
  userId: string,
  { id, name, at, ifNameTaken = 'refuse' }: z.output<typeof saveCollectionCall.input>,
  now: Date,
) {
  return db.transaction(async (tx) => {
    // One at a time for each reader, so that two requests can't take the same name or exceed the limit.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`collections:${userId}`}, 0))`)
    const others = (await readCollections(tx, userId)).filter((one) => one.id !== id)
    if (ifNameTaken === 'refuse' && others.some((other) => nameKey(other.name) === nameKey(name))) {
      throw new AppError('name_taken', { message: `You already have a collection named “${name}”.` })
    }
    if (others.length >= maxCollections) throw new AppError('too_many_collections')
    await writeCollection(tx, { userId, id, name, deleted: false, at: changeInstant(at, now) })
    const stored = await writtenOrStored(
      (await readCollections(tx, userId)).find((one) => one.id === id),
      // A newer change has deleted it.
      () => readRow(tx, userId, id),
    )
    return { id, name: stored.name, at: stored.at.toISOString() }
  })
}

/** The items stay saved. @throws AppError not_found */
export async function deleteCollection(
  db: Db,
  userId: string,
  { id, at }: z.output<typeof deleteCollectionCall.input>,
  now: Date,
) {
  const changed = changeInstant(at, now)
  await db
    .update(collections)
    // Restoring it names it again.
    .set({ name: '', deleted: true, at: changed })
    .where(
      and(eq(collections.userId, userId), eq(collections.id, id), sql`${collections.at} < ${changed.toISOString()}`),
    )
  const row = await writtenOrStored(undefined, () => readRow(db, userId, id))
  return { deleted: row.deleted, at: row.at.toISOString() }
}

const writeCollection = (tx: Tx, row: typeof collections.$inferInsert) =>
  tx
    .insert(collections)
    .values(row)
    .onConflictDoUpdate({
      target: [collections.userId, collections.id],
      set: { name: row.name, deleted: row.deleted, at: row.at },
      setWhere: sql`excluded.at > ${collections.at}`,
    })

async function readRow(db: Db | Tx, userId: string, id: string) {
  const [row] = await db
    .select()
    .from(collections)
    .where(and(eq(collections.userId, userId), eq(collections.id, id)))
  return row
}

/**
 * Adds an item to a collection or takes it out, unless a newer change is stored. Also to a deleted collection, which
 * another device may restore.
 * @throws AppError not_found
 */
export async function collectItem(
  db: Db,
  userId: string,
  { collectionId, kind, id, member, at }: z.output<typeof collectItemCall.input>,
  now: Date,
) {
  return db.transaction(async (tx) => {
    if (!(await readRow(tx, userId, collectionId))) throw new AppError('not_found')
    // The insert also checks that the item exists.
    if (member) await saveItem(tx, userId, { kind, id, saved: true, at }, now)
    const row = { userId, collectionId, kind, itemId: id, member, at: changeInstant(at, now) }
    const state = { member: collectionItems.member, at: collectionItems.at }
    const key = [collectionItems.userId, collectionItems.kind, collectionItems.itemId, collectionItems.collectionId]
    const [written] = await tx
      .insert(collectionItems)
      .values(row)
      .onConflictDoUpdate({
        target: key,
        set: { member, at: row.at },
        setWhere: sql`excluded.at > ${collectionItems.at}`,
      })
      .returning(state)
    const stored = await writtenOrStored(written, async () => {
      const [found] = await tx
        .select(state)
        .from(collectionItems)
        .where(
          and(
            eq(collectionItems.userId, userId),
            eq(collectionItems.collectionId, collectionId),
            eq(collectionItems.kind, kind),
            eq(collectionItems.itemId, id),
          ),
        )
      return found
    })
    return { member: stored.member, at: stored.at.toISOString() }
  })
}
