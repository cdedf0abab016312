import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { freshnessCalls } from './freshness.calls.ts'

export const freshnessFeature: Feature = {
  calls: freshnessCalls,
  exportedData,
}
