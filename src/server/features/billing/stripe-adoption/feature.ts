import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { adoptionRun, deleteOldAdoptions, forgetListedAddress } from './adoptions.ts'
import { adoptionSteps } from './run-adoption.ts'
import { stripeAdoptionCalls } from './stripe-adoption.calls.ts'

export const stripeAdoptionFeature: Feature = {
  calls: stripeAdoptionCalls,
  jobs: (deps) =>
    scheduledJobs({ 'stripe-adoption-maintenance': { cron: '23 * * * *', run: () => deleteOldAdoptions(deps) } }),
  runs: (deps) => [adoptionSteps(deps)],
  enqueuedEarly: [adoptionRun],
  onAccountDeleted: forgetListedAddress,
}
