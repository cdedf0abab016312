import { desc } from 'drizzle-orm'
import { collectionItems, collections, readingState, savedItems } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  savedItems: ownRows(
    savedItems.userId,
    { kind: savedItems.kind, id: savedItems.itemId, saved: savedItems.saved, at: savedItems.at },
    desc(savedItems.at),
  ),
  collections: ownRows(collections.userId, {
    id: collections.id,
    name: collections.name,
    deleted: collections.deleted,
    at: collections.at,
  }),
  collectionItems: ownRows(collectionItems.userId, {
    collectionId: collectionItems.collectionId,
    kind: collectionItems.kind,
    id: collectionItems.itemId,
    member: collectionItems.member,
    at: collectionItems.at,
  }),
  reading: ownRows(readingState.userId, {
    kind: readingState.kind,
    id: readingState.itemId,
    readAt: readingState.readAt,
    position: readingState.position,
    positionAt: readingState.positionAt,
    finishedAt: readingState.finishedAt,
  }),
}
