import type { Feature } from '#server/feature.ts'
import { itemMarksCalls } from './item-marks.calls.ts'

export const itemMarksFeature: Feature = {
  calls: itemMarksCalls,
}
