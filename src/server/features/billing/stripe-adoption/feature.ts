import type { Feature } from '#server/feature.ts'
import { adoptionRun, forgetListedAddress } from './adoptions.ts'
import { adoptionSteps } from './run-adoption.ts'
import { stripeAdoptionCalls } from './stripe-adoption.calls.ts'
import { stripeAdoptionJobs } from './stripe-adoption.jobs.ts'

export const stripeAdoptionFeature: Feature = {
  calls: stripeAdoptionCalls,
  jobs: stripeAdoptionJobs,
  runs: (deps) => [adoptionSteps(deps)],
  enqueuedEarly: [adoptionRun],
  onAccountDeleted: forgetListedAddress,
}
