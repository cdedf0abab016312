import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
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
  return { jobs: [job], schedules: [{ job: maintenanceName, cron: '*/10 * * * *' }] }
}
