import type { Feature } from '#server/feature.ts'
import { scheduledJobs } from '#server/jobs/jobs.ts'
import { memberImportCalls } from './member-import.calls.ts'
import { deleteOldImportData, forgetImportedAddress } from './member-imports.ts'
import { memberImportRun, memberImportSteps } from './run-import.ts'

export const memberImportFeature: Feature = {
  calls: memberImportCalls,
  jobs: (deps) =>
    scheduledJobs({ 'member-import-maintenance': { cron: '*/10 * * * *', run: () => deleteOldImportData(deps) } }),
  runs: (deps) => [memberImportSteps(deps)],
  enqueuedEarly: [memberImportRun],
  onAccountDeleted: forgetImportedAddress,
}
