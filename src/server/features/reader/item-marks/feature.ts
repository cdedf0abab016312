import type { Deps, Feature } from '#server/feature.ts'
import { isOnTeam } from '#server/features/reader/assignments/find-team.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import { itemMarksCall } from '#shared/contracts/reader/item-marks.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { listNewIssues, readItemMarks, readNextDeadline, readOpenAssignments } from './read-item-marks.ts'

const itemMarksCalls = (deps: Pick<Deps, 'database' | 'config' | 'clock'>): Implementation[] => [
  implement(itemMarksCall, async ({ scope }, who, { isDeviceSync }) => {
    const { db } = deps.database
    const now = deps.clock()
    const canAssign = isOnTeam(deps, who)
    const { publication } = deps.config.settings
    const hasDeadlines = scope.kind === 'issues' && hasPage(publication, 'deadlines')
    const [marks, openAssignments, newIssues, nextDeadline] = await Promise.all([
      readItemMarks(db, publication, who.userId, scope, now),
      canAssign ? readOpenAssignments(db, who.userId) : null,
      scope.kind === 'issues' ? listNewIssues(db, who.userId, now, !isDeviceSync) : undefined,
      hasDeadlines ? readNextDeadline(db, who.userId, now) : null,
    ])
    return { ...marks, canAssign, openAssignments, newIssues, nextDeadline }
  }),
]

export const itemMarksFeature: Feature = {
  calls: itemMarksCalls,
}
