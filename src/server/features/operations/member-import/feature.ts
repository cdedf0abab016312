import type { Feature } from '#server/feature.ts'
import { memberImportCalls } from './member-import.calls.ts'
import { memberImportJobs } from './member-import.jobs.ts'
import { forgetImportedAddress } from './member-imports.ts'
import { memberImportRun, memberImportSteps } from './run-import.ts'

export const memberImportFeature: Feature = {
  calls: memberImportCalls,
  jobs: memberImportJobs,
  runs: (deps) => [memberImportSteps(deps)],
  enqueuedEarly: [memberImportRun],
  onAccountDeleted: forgetImportedAddress,
}
