import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/tries.ts'
import { forgetTries } from './count-answers.ts'
import { readTry, recordTry, removeTry, startTry } from './own-tries.ts'
import { readValue, saveWage } from './read-value.ts'
import { listSharedNotes, listTriedItems } from './tries-report.ts'

/** Records what readers tried, how it went, and what it was worth. */
const triesCalls = (deps: Deps): Implementation[] => [
  implement(contracts.readTryCall, (item, who) => readTry(deps.database.db, who, item)),
  implement(contracts.recordTryCall, (input, who) => recordTry(deps, who, input)),
  implement(contracts.removeTryCall, (input, who) => removeTry(deps, who, input)),
  implement(contracts.startTryCall, (input, who) => startTry(deps, who, input)),
  implement(contracts.readerValueCall, (input, who) => readValue(deps, who, input)),
  implement(contracts.saveWageCall, (input, who) => saveWage(deps, who, input)),
  implement(contracts.adminTriesCall, (page) => listTriedItems(deps.database.db, page)),
  implement(contracts.adminSharedNotesCall, (page) => listSharedNotes(deps.database.db, page)),
]

export const triesFeature: Feature = {
  calls: triesCalls,
  onAccountDeleted: forgetTries,
}
