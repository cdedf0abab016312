import {
  checkOffCall,
  editAssignmentCall,
  removeAssignmentCall,
  type TeamAssignments,
  teamAssignmentsCall,
  teamCollectCall,
} from '#shared/contracts/reader/assignments.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { type ItemRef, itemKey } from '#shared/domain/content-items.ts'
import { changeMark } from '../change-mark.ts'
import { inputOf } from './change-queue.ts'
import { withCheckOff, withEdit, withOpenAssignments } from './change-team.ts'
import { listDeviceItems } from './device-items.ts'
import type { StoredAnswers } from './stored-answers.ts'
import type { NewChange } from './waiting-changes.ts'

type Unsent = readonly NewChange[]

/** The reader's team as it will be once the reader's changes are sent; null without one, undefined if it isn't stored. */
export function readTeam(stored: StoredAnswers, unsent: Unsent): TeamAssignments | null | undefined {
  const known = stored.get(teamAssignmentsCall, {})?.team
  if (!known) return known
  const removed = new Set<string>()
  const team = unsent.reduce((before, change) => {
    const checked = inputOf(checkOffCall, change)
    if (checked) return withCheckOff(before, checked)
    const edited = inputOf(editAssignmentCall, change)
    if (edited) return withEdit(before, edited)
    const removal = inputOf(removeAssignmentCall, change)
    if (removal) removed[removal.removed ? 'add' : 'delete'](removal.assignmentId)
    return withCollected(before, change, stored)
  }, known)
  return { ...team, assignments: team.assignments.filter(({ assignmentId }) => !removed.has(assignmentId)) }
}

function withCollected(team: TeamAssignments, change: NewChange, stored: StoredAnswers): TeamAssignments {
  const collect = inputOf(teamCollectCall, change)
  if (!collect) return team
  const others = team.collection.filter((one) => itemKey(one) !== itemKey(collect))
  const item = collect.member && listDeviceItems(stored).find((one) => itemKey(one) === itemKey(collect))
  if (!item) return { ...team, collection: others }
  const { kind, id, title, path, parentTitle } = item
  return { ...team, collection: [{ kind, id, title, path, parentTitle, at: collect.at }, ...others] }
}

/** The marks of a page with the number of open assignments that the reader has now, where the changes made a difference. */
export function withAssigned(marks: ItemMarks, stored: StoredAnswers, unsent: Unsent): ItemMarks {
  const [before, now] = [readTeam(stored, []), readTeam(stored, unsent)]
  if (!before || !now) return marks
  const countOpen = (team: TeamAssignments, item: ItemRef) =>
    team.assignments.filter((one) => one.isMine && !one.done && one.kind === item.kind && one.id === item.id).length
  const counted = before.assignments.reduce((all, { kind, id }) => {
    if (!kind || !id) return all
    const item = { kind, id }
    const assigned = countOpen(now, item)
    return assigned === countOpen(before, item) ? all : changeMark(all, item, { assigned })
  }, marks)
  return withOpenAssignments(counted, now)
}
