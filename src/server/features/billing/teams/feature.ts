import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { announceTeamEnd } from './on-account-deleted.ts'
import { teamCalls } from './teams.calls.ts'
import { teamJobs } from './teams.jobs.ts'

export const teamsFeature: Feature = {
  calls: teamCalls,
  jobs: teamJobs,
  onAccountDeleted: announceTeamEnd,
  exportedData,
}
