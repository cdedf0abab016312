import { asc, eq } from 'drizzle-orm'
import { series, seriesEntry } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  series: {
    tables: ['public.series_entry'],
    read: (tx, userId) =>
      tx
        .select({
          name: series.name,
          enteredAt: seriesEntry.enteredAt,
          nextStepAt: seriesEntry.dueAt,
          endedAt: seriesEntry.endedAt,
          endReason: seriesEntry.endReason,
        })
        .from(seriesEntry)
        .innerJoin(series, eq(series.id, seriesEntry.seriesId))
        .where(eq(seriesEntry.userId, userId))
        .orderBy(asc(seriesEntry.id)),
  },
}
