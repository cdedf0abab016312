import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminSharedNotesCall,
  adminTriesCall,
  readerValueCall,
  readTryCall,
  recordTryCall,
  removeTryCall,
  saveWageCall,
  startTryCall,
} from '#shared/contracts/reader/tries.ts'
import { forgetTries } from './count-answers.ts'
import { readTry } from './read-try.ts'
import { readValue, saveWage } from './read-value.ts'
import { recordTry, removeTry, startTry } from './record-try.ts'
import { listSharedNotes, listTriedItems } from './tries-report.ts'

/** Records what readers tried, how it went, and what it was worth. */
const triesCalls = (deps: Deps): Implementation[] => [
  implement(readTryCall, (item, who) => readTry(deps.database.db, who, item)),
  implement(recordTryCall, (input, who) => recordTry(deps, who, input)),
  implement(removeTryCall, (input, who) => removeTry(deps, who, input)),
  implement(startTryCall, (input, who) => startTry(deps, who, input)),
  implement(readerValueCall, (input, who) => readValue(deps, who, input)),
  implement(saveWageCall, (input, who) => saveWage(deps, who, input)),
  implement(adminTriesCall, (page) => listTriedItems(deps.database.db, page)),
  implement(adminSharedNotesCall, (page) => listSharedNotes(deps.database.db, page)),
]

export const triesFeature: Feature = {
  calls: triesCalls,
  onAccountDeleted: forgetTries,
}
