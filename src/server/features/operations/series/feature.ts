import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { seriesCalls } from './series.calls.ts'
import { seriesJobs } from './series.jobs.ts'

export const seriesFeature: Feature = {
  calls: seriesCalls,
  jobs: seriesJobs,
  exportedData,
}
