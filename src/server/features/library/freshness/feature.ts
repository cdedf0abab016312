import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { recordItemUse } from '#server/features/library/content/record-item-use.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { dismissChangeCall, itemChangesCall, recordItemUseCall } from '#shared/contracts/library/freshness.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { AppError } from '#shared/errors.ts'
import { dismissChange, listChanges } from './item-changes.ts'

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
