import type { Feature } from '#server/feature.ts'
import { statusCalls } from './status.calls.ts'

export const statusFeature: Feature = {
  calls: statusCalls,
}
