import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { offlineLibraryCall } from '#shared/contracts/reader/offline.ts'
import { createReadLibrary } from './read-library.ts'

/** `implementations` are the product's other calls, whose answers a device keeps. */
export function offlineCalls(deps: Deps, implementations: readonly Implementation[]): Implementation[] {
  const readLibrary = createReadLibrary(deps, implementations)
  return [implement(offlineLibraryCall, ({ known }, who, request) => readLibrary(known, who, request))]
}
