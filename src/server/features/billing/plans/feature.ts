import type { Feature } from '#server/feature.ts'
import { plansCalls } from './plans.calls.ts'
import { planJobs } from './sync-plans.ts'

export const plansFeature: Feature = {
  calls: plansCalls,
  jobs: planJobs,
}
