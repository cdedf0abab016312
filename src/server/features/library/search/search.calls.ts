import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { archiveCall, searchCall } from '#shared/contracts/library/search.ts'
import { readArchive } from './read-archive.ts'
import { searchItems } from './search-items.ts'

export const searchCalls = ({ database: { db } }: Pick<Deps, 'database'>): Implementation[] => [
  implement(searchCall, (search, { userId }) => searchItems(db, { ...search, userId })),
  implement(archiveCall, (wanted) => readArchive(db, wanted)),
]
