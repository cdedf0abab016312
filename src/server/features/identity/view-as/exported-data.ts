import { asc } from 'drizzle-orm'
import { viewAsSessions } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  viewedByStaff: ownRows(
    viewAsSessions.userId,
    {
      startedAt: viewAsSessions.createdAt,
      expiresAt: viewAsSessions.expiresAt,
      endedAt: viewAsSessions.endedAt,
    },
    asc(viewAsSessions.createdAt),
    asc(viewAsSessions.id),
  ),
}
