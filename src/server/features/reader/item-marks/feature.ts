import type { Deps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import { isOnTeam } from '#server/features/reader/assignments/find-team.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { itemMarksCall } from '#shared/contracts/reader/item-marks.ts'
import { listNewIssues, readItemMarks, readOpenAssignments } from './read-item-marks.ts'

const itemMarksCalls = (deps: Pick<Deps, 'database' | 'config' | 'clock'>): Implementation[] => [
  implement(itemMarksCall, async ({ scope }, who, { isDeviceSync }) => {
    const { db } = deps.database
    const now = deps.clock()
    const canAssign = isOnTeam(deps, who)
    const [marks, openAssignments, newIssues] = await Promise.all([
      readItemMarks(db, deps.config.settings.publication, who.userId, scope, now),
      canAssign ? readOpenAssignments(db, who.userId) : null,
      scope.kind === 'issues' ? listNewIssues(db, who.userId, now, !isDeviceSync) : undefined,
    ])
    return { ...marks, canAssign, openAssignments, newIssues }
  }),
]

export const itemMarksFeature: Feature = {
  calls: itemMarksCalls,
}
