import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { archiveCall, searchCall } from '#shared/contracts/library/search.ts'
import { readArchive } from './read-archive.ts'
import { searchItems } from './search-items.ts'

const searchCalls = ({ config, database: { db } }: Pick<Deps, 'config' | 'database'>): Implementation[] => [
  implement(searchCall, (search, { userId }) =>
    searchItems(db, { ...search, userId, hiddenPages: config.settings.publication.hiddenPages }),
  ),
  implement(archiveCall, (wanted) => readArchive(db, config.settings.publication, wanted)),
]

export const searchFeature: Feature = {
  calls: searchCalls,
}
