import type { Feature, FeatureDeps } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { offlineLibraryCall } from '#shared/contracts/reader/offline.ts'
import { createReadLibrary } from './read-library.ts'

function offlineCalls(deps: FeatureDeps): Implementation[] {
  const readLibrary = createReadLibrary(deps, deps.allCalls)
  return [implement(offlineLibraryCall, ({ known }, who, request) => readLibrary(known, who, request))]
}

export const offlineFeature: Feature = {
  calls: offlineCalls,
}
