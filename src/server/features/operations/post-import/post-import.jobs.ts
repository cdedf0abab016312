import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { type AnyJob, defineJob, type FeatureJobs } from '#server/jobs/jobs.ts'
import { createFetchFile, fetchNothing } from './fetch-file.ts'
import { deleteOldPostFiles, postImportJob } from './post-imports.ts'
import { runPostImports } from './run-post-import.ts'

const cleanUpName = 'delete-old-post-files'

export function postImportJobs(deps: Deps): FeatureJobs {
  const fetchFile = deps.config.mode === 'sandbox' ? fetchNothing : createFetchFile()
  const run = defineJob({ ...postImportJob, run: () => runPostImports({ ...deps, fetchFile }) })
  const cleanUp = defineJob({
    name: cleanUpName,
    payload: z.unknown(),
    // It runs again in an hour.
    retryLimit: 0,
    run: () => deleteOldPostFiles(deps),
  })
  return {
    jobs: [run as AnyJob, cleanUp as AnyJob],
    schedules: [
      // Continues what a stopped node left.
      { job: postImportJob.name, cron: '*/2 * * * *' },
      { job: cleanUpName, cron: '17 * * * *' },
    ],
  }
}
