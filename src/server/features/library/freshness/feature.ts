import type { Feature } from '#server/feature.ts'
import { freshnessCalls } from './freshness.calls.ts'

export const freshnessFeature: Feature = {
  calls: freshnessCalls,
}
