import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { maintainAdoptions, stripeAdoptionJob } from './adoptions.ts'
import { runAdoption } from './run-adoption.ts'

const maintenanceName = 'stripe-adoption-maintenance'

export function stripeAdoptionJobs(deps: Deps): FeatureJobs {
  const jobs = [
    defineJob({ ...stripeAdoptionJob, run: ({ adoptionId }) => runAdoption(deps, adoptionId) }),
    // The schedule has no payload.
    defineJob({ name: maintenanceName, payload: z.unknown(), retryLimit: 0, run: () => maintainAdoptions(deps) }),
  ]
  return { jobs: jobs as AnyJob[], schedules: [{ job: maintenanceName, cron: '*/2 * * * *' }] }
}
