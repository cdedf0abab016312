import { asc, eq } from 'drizzle-orm'
import { viewAsSessions } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  viewedByStaff: {
    tables: ['public.view_as_sessions'],
    read: (tx, userId) =>
      tx
        .select({
          startedAt: viewAsSessions.createdAt,
          expiresAt: viewAsSessions.expiresAt,
          endedAt: viewAsSessions.endedAt,
        })
        .from(viewAsSessions)
        .where(eq(viewAsSessions.userId, userId))
        .orderBy(asc(viewAsSessions.createdAt), asc(viewAsSessions.id)),
  },
}
