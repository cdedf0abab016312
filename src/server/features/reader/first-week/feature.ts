import type { Feature } from '#server/feature.ts'
import { firstWeekCalls } from './first-week.calls.ts'

export const firstWeekFeature: Feature = {
  calls: firstWeekCalls,
}
