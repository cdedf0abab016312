import type { Feature } from '#server/feature.ts'
import { forgetListedAddress } from './adoptions.ts'
import { exportedData } from './exported-data.ts'
import { stripeAdoptionCalls } from './stripe-adoption.calls.ts'
import { stripeAdoptionJobs } from './stripe-adoption.jobs.ts'

export const stripeAdoptionFeature: Feature = {
  calls: stripeAdoptionCalls,
  jobs: stripeAdoptionJobs,
  onAccountDeleted: forgetListedAddress,
  exportedData,
}
