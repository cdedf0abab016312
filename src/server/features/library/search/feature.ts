import type { Deps, Feature } from '#server/feature.ts'
import { itemsOpenTo } from '#server/features/billing/purchases/owned-items.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { archiveCall, searchCall } from '#shared/contracts/library/search.ts'
import { countEmptySearch } from './empty-searches.ts'
import { readArchive, searchItems } from './search-items.ts'

const searchCalls = ({
  config,
  database: { db },
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Implementation[] => [
  implement(searchCall, async (search, who) => {
    const { userId, viewId } = who
    const only = await itemsOpenTo({ config, database: { db }, clock }, who)
    const found = await searchItems(db, {
      ...search,
      userId,
      only,
      hiddenPages: config.settings.publication.hiddenPages,
    })
    const isEmpty = found.items.length === 0 && search.cursor === null && !search.isTyping
    if (isEmpty && !viewId) await countEmptySearch(db, search.query, clock())
    return found
  }),
  implement(archiveCall, (wanted) => readArchive(db, config.settings.publication, wanted)),
]

export const searchFeature: Feature = {
  calls: searchCalls,
}
