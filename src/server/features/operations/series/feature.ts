import { eq } from 'drizzle-orm'
import { seriesEntry, seriesEvent, seriesSegmentMember } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'
import { exportedData } from './exported-data.ts'
import { seriesCalls } from './series.calls.ts'
import { seriesJobs } from './series.jobs.ts'

export const seriesFeature: Feature = {
  calls: seriesCalls,
  jobs: seriesJobs,
  onAccountDeleted: async (tx, userId) => {
    await tx.delete(seriesEvent).where(eq(seriesEvent.userId, userId))
    await tx.delete(seriesSegmentMember).where(eq(seriesSegmentMember.userId, userId))
    await tx.delete(seriesEntry).where(eq(seriesEntry.userId, userId))
  },
  exportedData,
}
