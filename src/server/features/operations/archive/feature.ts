import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { archiveCalls } from './archive.calls.ts'
import { archiveRoutes } from './archive-download.ts'
import { archiveRun, archiveSteps, deleteExpiredArchives } from './archives.ts'

export const archiveFeature: Feature = {
  calls: archiveCalls,
  routes: (deps) => [archiveRoutes(deps)],
  jobs: (deps) =>
    scheduledJobs({ 'delete-expired-archives': { cron: '*/30 * * * *', run: () => deleteExpiredArchives(deps) } }),
  runs: (deps) => [archiveSteps(deps)],
  enqueuedEarly: [archiveRun],
}
