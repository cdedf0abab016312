import type { Feature } from '#server/feature.ts'
import { archiveCalls } from './archive.calls.ts'
import { archiveJobs } from './archive.jobs.ts'
import { archiveRoutes } from './archive-download.ts'
import { archiveRun, archiveSteps } from './archives.ts'

export const archiveFeature: Feature = {
  calls: archiveCalls,
  routes: (deps) => [archiveRoutes(deps)],
  jobs: archiveJobs,
  runs: (deps) => [archiveSteps(deps)],
  enqueuedEarly: [archiveRun],
}
