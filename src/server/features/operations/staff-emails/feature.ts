import { eq } from 'drizzle-orm'
import { staffEmailChoice } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { staffEmailsCalls } from './staff-emails.calls.ts'
import { staffEmailsJobs } from './staff-emails.jobs.ts'

export const staffEmailsFeature: Feature = {
  calls: staffEmailsCalls,
  jobs: staffEmailsJobs,
  onAccountDeleted: async (tx, userId) => {
    await tx.delete(staffEmailChoice).where(eq(staffEmailChoice.userId, userId))
  },
  exportedData,
}
