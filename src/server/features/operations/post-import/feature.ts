import type { Feature } from '#server/feature.ts'
import { createFetchFile, fetchNothing } from './fetch-file.ts'
import { postImportCalls } from './post-import.calls.ts'
import { postImportJobs } from './post-import.jobs.ts'
import { postImportRun } from './post-imports.ts'
import { postImportSteps } from './run-post-import.ts'

export const postImportFeature: Feature = {
  calls: postImportCalls,
  jobs: postImportJobs,
  runs: (deps) => [
    postImportSteps({ ...deps, fetchFile: deps.config.mode === 'sandbox' ? fetchNothing : createFetchFile() }),
  ],
  enqueuedEarly: [postImportRun],
}
