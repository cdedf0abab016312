import type { Deps } from '#server/deps.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { itemMarksCall } from '#shared/contracts/item-marks.ts'
import { readItemMarks } from './read-item-marks.ts'

export const itemMarksCalls = ({ database, clock }: Pick<Deps, 'database' | 'clock'>): Implementation[] => [
  implement(itemMarksCall, ({ scope }, { userId }) => readItemMarks(database.db, userId, scope, clock())),
]
