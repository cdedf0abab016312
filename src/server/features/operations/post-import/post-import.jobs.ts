import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { deleteOldPostFiles } from './post-imports.ts'

const cleanUpName = 'delete-old-post-files'

export function postImportJobs(deps: Deps): FeatureJobs {
  const cleanUp = defineJob({
    name: cleanUpName,
    payload: z.unknown(),
    // It runs again in an hour.
    retryLimit: 0,
    run: () => deleteOldPostFiles(deps),
  })
  return { jobs: [cleanUp], schedules: [{ job: cleanUpName, cron: '17 * * * *' }] }
}
