import { eq } from 'drizzle-orm'
import { segmentMembers, segments } from '#server/db/schema/index.ts'
import type { Feature } from '#server/feature.ts'

export const segmentsFeature: Feature = {
  exportedData: {
    segments: (tx, userId) =>
      tx
        .select({ name: segments.name, addedAt: segmentMembers.addedAt })
        .from(segmentMembers)
        .innerJoin(segments, eq(segments.id, segmentMembers.segmentId))
        .where(eq(segmentMembers.userId, userId)),
  },
}
