import { asc, eq, sql } from 'drizzle-orm'
import { series, seriesEntry } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  series: (tx, userId) =>
    tx
      .select({
        name: series.name,
        enteredAt: seriesEntry.enteredAt,
        nextStepAt: seriesEntry.dueAt,
        endedAt: seriesEntry.endedAt,
        endReason: seriesEntry.endReason,
        steps: sql<{ at: string; outcome: string }[]>`coalesce((
          select json_agg(json_build_object('at', r.at, 'outcome', r.outcome) order by r.at)
          from series_step_result r where r.entry_id = series_entry.id), '[]')`,
      })
      .from(seriesEntry)
      .innerJoin(series, eq(series.id, seriesEntry.seriesId))
      .where(eq(seriesEntry.userId, userId))
      .orderBy(asc(seriesEntry.id)),
}
