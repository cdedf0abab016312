import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/saved.ts'
import { collectItem, deleteCollection, listCollections, listCollectionsOf, saveCollection } from './collections.ts'
import { markRead, savePosition } from './reading-state.ts'
import { listSaved, saveItem } from './saved-items.ts'

/** Keeps what readers save, and where they stopped reading. */
function savedCalls({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] {
  return [
    implement(contracts.saveItemCall, (input, { userId }) => saveItem(db, userId, input, clock())),
    implement(contracts.savedItemsCall, (input, { userId }) => listSaved(db, userId, input)),
    implement(contracts.collectionsCall, async (_input, { userId }) => ({
      collections: await listCollections(db, userId),
    })),
    implement(contracts.itemCollectionsCall, async (item, { userId }) => ({
      collections: await listCollectionsOf(db, userId, item),
    })),
    implement(contracts.saveCollectionCall, (input, { userId }) => saveCollection(db, userId, input, clock())),
    implement(contracts.deleteCollectionCall, (input, { userId }) => deleteCollection(db, userId, input, clock())),
    implement(contracts.collectItemCall, (input, { userId }) => collectItem(db, userId, input, clock())),
    implement(contracts.markReadCall, (input, { userId }) => markRead(db, userId, input, clock())),
    implement(contracts.savePositionCall, (input, { userId }) => savePosition(db, userId, input, clock())),
  ]
}

export const savedFeature: Feature = {
  calls: savedCalls,
}
