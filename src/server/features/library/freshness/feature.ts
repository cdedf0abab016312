import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { type Db, queryRows } from '#server/db/database.ts'
import { contentItems, itemChanges } from '#server/db/schema/index.ts'
import type { Deps, Feature } from '#server/feature.ts'
import { recordItemUse } from '#server/features/library/content/record-item-use.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { dismissChangeCall, itemChangesCall, recordItemUseCall } from '#shared/contracts/library/freshness.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'

/** Versions to list. */
const maxChanges = 50

/** Reads the changes of each version of the items that readers can open, newest first. */
async function listChanges(db: Db, { kind, id }: ItemRef) {
  const rows = await db
    .select({ version: itemChanges.version, changedAt: itemChanges.changedAt, note: itemChanges.note })
    .from(itemChanges)
    .innerJoin(contentItems, and(eq(contentItems.kind, itemChanges.kind), eq(contentItems.id, itemChanges.itemId)))
    .where(and(eq(itemChanges.kind, kind), eq(itemChanges.itemId, id), isNull(contentItems.removedAt)))
    .orderBy(desc(itemChanges.version))
    .limit(maxChanges)
  return rows.map((row) => ({ ...row, changedAt: row.changedAt.toISOString() }))
}

/** Never goes back, and never beyond the newest version, so later changes are still shown. @throws AppError not_found */
export async function dismissChange(db: Db, userId: string, { kind, id, version }: ItemRef & { version: number }) {
  const [row] = await queryRows<{ version: number }>(
    db,
    sql`insert into seen_changes as s (user_id, kind, item_id, version)
      select ${userId}::uuid, i.kind, i.id, least(${version}::int, i.version)
      from content_items i where i.kind = ${kind} and i.id = ${id}
      on conflict (user_id, kind, item_id) do update set version = greatest(s.version, excluded.version)
      returning version`,
  )
  if (!row) throw new AppError('not_found')
  return row
}

const freshnessCalls = ({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] => [
  implement(recordItemUseCall, async ({ at, ...use }, who) => {
    const recorded = await recordItemUse(db, who.userId, use, changeInstant(at, clock()))
    if (!recorded) throw new AppError('not_found')
    return recorded
  }),
  implement(dismissChangeCall, (change, who) => dismissChange(db, who.userId, change)),
  implement(itemChangesCall, async (item) => ({ changes: await listChanges(db, item) })),
]

export const freshnessFeature: Feature = {
  calls: freshnessCalls,
}
