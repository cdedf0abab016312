import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { createFetchFile, fetchNothing } from './fetch-file.ts'
import { postImportCalls } from './post-import.calls.ts'
import { deleteOldPostFiles, postImportRun } from './post-imports.ts'
import { postImportSteps } from './run-post-import.ts'

export const postImportFeature: Feature = {
  calls: postImportCalls,
  jobs: (deps) =>
    scheduledJobs({ 'delete-old-post-files': { cron: '17 * * * *', run: () => deleteOldPostFiles(deps) } }),
  runs: (deps) => [
    postImportSteps({ ...deps, fetchFile: deps.config.mode === 'sandbox' ? fetchNothing : createFetchFile() }),
  ],
  enqueuedEarly: [postImportRun],
}
