import type { Deps } from '#server/deps.ts'
import { isOnTeam } from '#server/features/reader/assignments/find-team.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { itemMarksCall } from '#shared/contracts/reader/item-marks.ts'
import { readItemMarks, readOpenAssignments } from './read-item-marks.ts'

export const itemMarksCalls = (deps: Pick<Deps, 'database' | 'config' | 'clock'>): Implementation[] => [
  implement(itemMarksCall, async ({ scope }, who) => {
    const { db } = deps.database
    const canAssign = isOnTeam(deps, who)
    const [marks, openAssignments] = await Promise.all([
      readItemMarks(db, who.userId, scope, deps.clock()),
      canAssign ? readOpenAssignments(db, who.userId) : null,
    ])
    return { ...marks, canAssign, openAssignments }
  }),
]
