import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { series } from '#server/db/schema/index.ts'
import type { SeriesSegment } from '#shared/domain/series.ts'

/** Name of a series that isn't off and lets members of a view or segment enter, or undefined. */
export async function findWaitingSeries(db: Db, { of, id }: SeriesSegment): Promise<string | undefined> {
  const [found] = await db
    .select({ name: series.name })
    .from(series)
    .where(
      sql`${series.status} <> 'off' and ${series.trigger} @> ${JSON.stringify({ kind: 'joined_segment', of, id })}::jsonb`,
    )
    .limit(1)
  return found?.name
}
