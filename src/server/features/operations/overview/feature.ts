import type { Feature } from '#server/feature.ts'
import { overviewCalls } from './overview.calls.ts'

export const overviewFeature: Feature = {
  calls: overviewCalls,
}
