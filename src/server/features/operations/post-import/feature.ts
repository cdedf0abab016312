import type { Feature } from '#server/feature.ts'
import { postImportCalls } from './post-import.calls.ts'
import { postImportJobs } from './post-import.jobs.ts'
import { postImportJob } from './post-imports.ts'

export const postImportFeature: Feature = {
  calls: postImportCalls,
  jobs: postImportJobs,
  enqueuedEarly: [postImportJob],
}
