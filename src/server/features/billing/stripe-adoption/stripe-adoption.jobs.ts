import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { deleteOldAdoptions } from './adoptions.ts'

const maintenanceName = 'stripe-adoption-maintenance'

export function stripeAdoptionJobs(deps: Deps): FeatureJobs {
  const job = defineJob({
    name: maintenanceName,
    // The schedule has no payload.
    payload: z.unknown(),
    retryLimit: 0,
    run: () => deleteOldAdoptions(deps),
  })
  return { jobs: [job], schedules: [{ job: maintenanceName, cron: '23 * * * *' }] }
}
