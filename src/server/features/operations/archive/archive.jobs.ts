import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { deleteExpiredArchives } from './archives.ts'

const cleanUpName = 'delete-expired-archives'

export function archiveJobs(deps: Deps): FeatureJobs {
  const cleanUp = defineJob({
    name: cleanUpName,
    payload: z.unknown(),
    // It runs again in half an hour.
    retryLimit: 0,
    run: () => deleteExpiredArchives(deps),
  })
  return { jobs: [cleanUp], schedules: [{ job: cleanUpName, cron: '*/30 * * * *' }] }
}
