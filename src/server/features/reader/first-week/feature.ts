import type { Deps, Feature } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { recordFirstWeekCall } from '#shared/contracts/reader/first-week.ts'
import { recordFirstWeek } from './first-week.ts'

/** The checklist itself is part of `item-marks`, so that the first page makes one request for both. */
const firstWeekCalls = ({ database, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] => [
  implement(recordFirstWeekCall, (input, { userId }) => recordFirstWeek(database.db, userId, input, clock())),
]

export const firstWeekFeature: Feature = {
  calls: firstWeekCalls,
}
