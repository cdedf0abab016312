import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import * as contracts from '#shared/contracts/operations/archives.ts'
import {
  archiveRoutes,
  archiveRun,
  archiveSteps,
  createArchiveLink,
  deleteArchive,
  deleteExpiredArchives,
  listArchives,
  requestArchive,
} from './archives.ts'

const archiveCalls = (deps: Deps): Implementation[] => [
  implement(contracts.adminArchivesCall, async () => ({ items: await listArchives(deps) })),
  implement(contracts.adminCreateArchiveCall, (_input, who) => requestArchive(deps, who)),
  implement(contracts.adminArchiveLinkCall, ({ id }, who) => createArchiveLink(deps, who, id)),
  implement(contracts.adminDeleteArchiveCall, ({ id }, who) => deleteArchive(deps, who, id)),
]

export const archiveFeature: Feature = {
  calls: archiveCalls,
  routes: (deps) => [archiveRoutes(deps)],
  jobs: (deps) =>
    scheduledJobs({ 'delete-expired-archives': { cron: '*/30 * * * *', run: () => deleteExpiredArchives(deps) } }),
  runs: (deps) => [archiveSteps(deps)],
  enqueuedEarly: [archiveRun],
}
