import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { referralsCalls } from './referrals.calls.ts'
import { referralsJobs } from './referrals.jobs.ts'

export const referralsFeature: Feature = {
  calls: referralsCalls,
  jobs: referralsJobs,
  exportedData,
}
