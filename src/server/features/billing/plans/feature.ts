import type { Feature } from '#server/feature.ts'
import { plansCalls } from './plans.calls.ts'
import { planJobs } from './plans.jobs.ts'
import { exportedData } from './price-moves/exported-data.ts'
import { priceMoveRun } from './price-moves/price-moves.ts'
import { priceMoveSteps } from './price-moves/run-price-move.ts'

export const plansFeature: Feature = {
  calls: plansCalls,
  jobs: planJobs,
  runs: (deps) => [priceMoveSteps(deps)],
  enqueuedEarly: [priceMoveRun],
  exportedData,
}
