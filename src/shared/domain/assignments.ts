/** Who an assignment is for. Both are null once the person or the location is gone. */
export type AssignedTo = { assigneeId: string | null; locationId: string | null }

/** Someone on the team, as far as assignments are concerned. */
export type TeamReader = {
  userId: string
  isOwner: boolean
  /** Locations that the seat is tied to. */
  locationIds: readonly string[]
}

/** Assigned to the reader, or to a location of theirs. */
export const isFor = ({ assigneeId, locationId }: AssignedTo, { userId, locationIds }: TeamReader) =>
  assigneeId === userId || (locationId !== null && locationIds.includes(locationId))

/** Owners see all assignments of the team; members those for them or their locations, and those they made. */
export const seesAssignment = (assignment: AssignedTo & { createdBy: string | null }, reader: TeamReader): boolean =>
  reader.isOwner || isFor(assignment, reader) || assignment.createdBy === reader.userId

/** The owner too, who closes what was assigned to a person who left. */
export const mayCheckOff = (assignment: AssignedTo, reader: TeamReader): boolean =>
  reader.isOwner || isFor(assignment, reader)

/** Who made it, and the owner: edit, remove and restore. */
export const mayEdit = ({ createdBy }: { createdBy: string | null }, { userId, isOwner }: TeamReader): boolean =>
  isOwner || createdBy === userId

/** True for assignments to a person who isn't on the team anymore. */
export const hasAssigneeLeft = (
  { to, assigneeId }: { to: 'person' | 'location'; assigneeId: string | null },
  memberIds: ReadonlySet<string>,
): boolean => to === 'person' && (assigneeId === null || !memberIds.has(assigneeId))

type Dated = { done: boolean; dueOn: string | null; createdAt: string }

/** Open ones first: by due date, those without one last; then done ones, newest first. */
export const orderAssignments = <A extends Dated>(assignments: readonly A[]): A[] =>
  assignments.toSorted((a, b) => {
    if (a.done !== b.done) return a.done ? 1 : -1
    if (a.done) return b.createdAt.localeCompare(a.createdAt)
    return (a.dueOn ?? '9999').localeCompare(b.dueOn ?? '9999') || a.createdAt.localeCompare(b.createdAt)
  })

/** `today` is the reader's day, "2026-11-22". */
export const isOverdue = ({ done, dueOn }: Pick<Dated, 'done' | 'dueOn'>, today: string): boolean =>
  !done && dueOn !== null && dueOn < today

export type AssignmentCounts = { open: number; late: number; done: number }

/** `today` is the reader's day. Late ones are open, too. */
export const countAssignments = (
  assignments: readonly Pick<Dated, 'done' | 'dueOn'>[],
  today: string,
): AssignmentCounts => ({
  open: assignments.filter(({ done }) => !done).length,
  late: assignments.filter((assignment) => isOverdue(assignment, today)).length,
  done: assignments.filter(({ done }) => done).length,
})

export const maxOpenAssignments = 500
/** Limit for one request. */
export const maxTargets = 20
export const maxAssignmentNote = 500
export const maxAssignmentTitle = 120
/** Longer than any prompt that was filled in. */
export const maxAssignmentText = 20_000
/** How long a removed assignment can be restored. */
export const restorableDays = 30
