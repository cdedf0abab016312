import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'

export const segmentsFeature: Feature = {
  exportedData,
}
