import type { Feature } from '#server/feature.ts'
import { offlineCalls } from './offline.calls.ts'

export const offlineFeature: Feature = {
  calls: offlineCalls,
}
