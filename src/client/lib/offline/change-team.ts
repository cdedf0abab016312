import type { z } from 'zod'
import type {
  Assignment,
  checkOffCall,
  editAssignmentCall,
  TeamAssignments,
} from '#shared/contracts/reader/assignments.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { orderAssignments } from '#shared/domain/assignments.ts'

/** The cached team with one assignment updated; the order stays. */
const change = (
  team: TeamAssignments,
  { assignmentId }: { assignmentId: string },
  next: (assignment: Assignment) => Partial<Assignment>,
): TeamAssignments => ({
  ...team,
  assignments: team.assignments.map((each) => (each.assignmentId === assignmentId ? { ...each, ...next(each) } : each)),
})

const readerOf = ({ people }: TeamAssignments) => people.find(({ isYou }) => isYou)

/** The team the way the server answers once it has received the change. */
export const withCheckOff = (team: TeamAssignments, input: z.output<typeof checkOffCall.input>): TeamAssignments =>
  change(team, input, () => ({
    done: input.done,
    doneBy: (input.done && readerOf(team)?.email) || '',
    checkedAt: input.at,
  }))

/** The team the way the server answers once it has received the change. */
export const withEdit = (team: TeamAssignments, input: z.output<typeof editAssignmentCall.input>): TeamAssignments =>
  change(team, input, (assignment) => ({
    ...targetOf(team, assignment, input.to),
    dueOn: input.dueOn,
    note: input.note,
    editedAt: input.at,
  }))

/** The marks of a page with what the team's answer says of the reader's open assignments. */
export function withOpenAssignments<Marks extends Pick<ItemMarks, 'openAssignments'>>(
  marks: Marks,
  { assignments }: Pick<TeamAssignments, 'assignments'>,
): Marks {
  const open = orderAssignments(assignments.filter(({ isMine, done }) => isMine && !done))
  const [next] = open
  return {
    ...marks,
    openAssignments: next
      ? { count: open.length, next: { title: next.title, dueOn: next.dueOn, assignedAt: next.createdAt } }
      : null,
  }
}

function targetOf(
  team: TeamAssignments,
  { toId }: Assignment,
  to: z.output<typeof editAssignmentCall.input>['to'],
): Partial<Assignment> {
  const id = to && ('userId' in to ? to.userId : to.locationId)
  // The assignment may still name a person who left.
  if (!to || !id || id === toId) return {}
  const person = team.people.find(({ userId }) => userId === id)
  const location = team.locations.find((each) => each.id === id)
  const reader = readerOf(team)
  const isMine = id === reader?.userId || (reader?.locationIds.includes(id) ?? false)
  return {
    to: 'userId' in to ? 'person' : 'location',
    toId: id,
    toName: person?.email ?? location?.name ?? '',
    hasLeft: false,
    isMine,
    canCheckOff: team.isOwner || isMine,
  }
}
