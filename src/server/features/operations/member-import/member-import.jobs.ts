import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { deleteOldImportData } from './member-imports.ts'

const maintenanceName = 'member-import-maintenance'

export function memberImportJobs(deps: Deps): FeatureJobs {
  const job = defineJob({
    name: maintenanceName,
    // The schedule has no payload.
    payload: z.unknown(),
    retryLimit: 0,
    run: () => deleteOldImportData(deps),
  })
  return { jobs: [job as AnyJob], schedules: [{ job: maintenanceName, cron: '*/10 * * * *' }] }
}
