import type { Feature } from '#server/feature.ts'
import { searchCalls } from './search.calls.ts'

export const searchFeature: Feature = {
  calls: searchCalls,
}
