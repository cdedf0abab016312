import { createHash } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { memberViews, segments } from '#server/db/schema/index.ts'
import { memberFilterSql } from '#server/features/publishing/segments/filter-sql.ts'
import { memberFilterSchema } from '#shared/domain/member-filter.ts'
import type { SeriesSegment } from '#shared/domain/series.ts'

export type Segment = {
  name: string
  /** Changes with the view's filter, but not when staff add members to a segment. */
  version: string
  /** Condition on `member_facts f`. */
  where: SQL
  /** Tags by which members match. */
  tags: readonly string[]
  /** Fields by which members match. */
  fields: readonly number[]
}

/** Null for a view or segment that was deleted, or whose filter refers to something that no longer exists. */
export async function readSegment(
  db: Db | Tx,
  config: Pick<Config, 'settings' | 'stripe'>,
  { of, id }: SeriesSegment,
  now: Date,
): Promise<Segment | null> {
  if (of === 'segment') {
    const [found] = await db.select({ name: segments.name }).from(segments).where(eq(segments.id, id))
    const where = sql`f.user_id in (select user_id from segment_members where segment_id = ${id}::uuid)`
    return found ? { ...found, version: id, where, tags: [], fields: [] } : null
  }
  const [view] = await db
    .select({ name: memberViews.name, filter: memberViews.filter })
    .from(memberViews)
    .where(eq(memberViews.id, id))
  const filter = memberFilterSchema.safeParse(view?.filter).data
  if (!view || !filter) return null
  // The stored text is compared, so that a filter that a later version of the server parses otherwise is still the same.
  const hash = createHash('sha256').update(JSON.stringify(view.filter)).digest('hex')
  const { where } = memberFilterSql(config, filter, now)
  return {
    name: view.name,
    version: `${id}:${hash}`,
    where,
    tags: filter.tags,
    fields: filter.fields.map(({ field }) => field),
  }
}
