import { desc, eq } from 'drizzle-orm'
import { collectionItems, collections, readingState, savedItems } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  savedItems: {
    tables: ['public.saved_items'],
    read: (tx, userId) =>
      tx
        .select({ kind: savedItems.kind, id: savedItems.itemId, saved: savedItems.saved, at: savedItems.at })
        .from(savedItems)
        .where(eq(savedItems.userId, userId))
        .orderBy(desc(savedItems.at)),
  },
  collections: {
    tables: ['public.collections'],
    read: (tx, userId) =>
      tx
        .select({ id: collections.id, name: collections.name, deleted: collections.deleted, at: collections.at })
        .from(collections)
        .where(eq(collections.userId, userId)),
  },
  collectionItems: {
    tables: ['public.collection_items'],
    read: (tx, userId) =>
      tx
        .select({
          collectionId: collectionItems.collectionId,
          kind: collectionItems.kind,
          id: collectionItems.itemId,
          member: collectionItems.member,
          at: collectionItems.at,
        })
        .from(collectionItems)
        .where(eq(collectionItems.userId, userId)),
  },
  reading: {
    tables: ['public.reading_state'],
    read: (tx, userId) =>
      tx
        .select({
          kind: readingState.kind,
          id: readingState.itemId,
          readAt: readingState.readAt,
          position: readingState.position,
          positionAt: readingState.positionAt,
          finishedAt: readingState.finishedAt,
        })
        .from(readingState)
        .where(eq(readingState.userId, userId)),
  },
}
