import { and, desc, eq, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { personRow, personRows } from '#server/db/person-rows.ts'
import {
  assignmentNotice,
  assignmentReminder,
  assignmentSummary,
  contentItems,
  teamAssignment,
  teamCollectionItem,
} from '#server/db/schema/index.ts'
import type { Feature, PersonReaders } from '#server/feature.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import * as contracts from '#shared/contracts/reader/assignments.ts'
import {
  assign,
  assignToSeveral,
  checkOff,
  collectForTeam,
  editAssignment,
  moveToNewOwner,
  removeAssignment,
  tieSeat,
} from './change-assignments.ts'
import { assignedEmailJob, type EmailingDeps } from './notify-assignees.ts'
import { assignmentTitle, readTeamAssignments } from './read-assignments.ts'

const exportedData: PersonReaders = {
  assignmentEmails: readAssignmentEmails,
  assignments: readAssignments,
}

/** When the user was emailed about assignments. */
async function readAssignmentEmails(tx: Tx, userId: string) {
  const { handledAt, sent } = assignmentNotice
  const assigned = await tx
    .select({ sentAt: handledAt })
    .from(assignmentNotice)
    .where(and(eq(assignmentNotice.userId, userId), sent))
    .orderBy(desc(handledAt))
  const reminders = await personRows(
    tx,
    assignmentReminder,
    { columns: ['kind', 'dueOn', 'sentAt'], order: ['sentAt desc'] },
    userId,
  )
  const lastSummary = await personRow(tx, assignmentSummary, ['weekOf', 'sentAt'], userId)
  return { assigned, reminders, lastSummary }
}

/** Assignments of the user's own team, and those made by or for the user. Leaves out the other people. */
async function readAssignments(tx: Tx, userId: string) {
  const mine = or(
    eq(teamAssignment.ownerId, userId),
    eq(teamAssignment.createdBy, userId),
    eq(teamAssignment.assigneeId, userId),
  )
  const assignments = await tx
    .select({
      title: assignmentTitle,
      text: teamAssignment.text,
      to: teamAssignment.assignedTo,
      dueOn: teamAssignment.dueOn,
      note: teamAssignment.note,
      createdAt: teamAssignment.createdAt,
      done: teamAssignment.done,
      checkedAt: teamAssignment.checkedAt,
      removed: teamAssignment.removed,
    })
    .from(teamAssignment)
    .leftJoin(contentItems, and(eq(contentItems.kind, teamAssignment.kind), eq(contentItems.id, teamAssignment.itemId)))
    .where(mine)
    .orderBy(desc(teamAssignment.createdAt))
  const teamCollection = await tx
    .select({ title: contentItems.title, member: teamCollectionItem.member, at: teamCollectionItem.at })
    .from(teamCollectionItem)
    .innerJoin(
      contentItems,
      and(eq(contentItems.kind, teamCollectionItem.kind), eq(contentItems.id, teamCollectionItem.itemId)),
    )
    .where(eq(teamCollectionItem.ownerId, userId))
    .orderBy(desc(teamCollectionItem.at))
  return { assignments, teamCollection }
}

/** Assignments and the collection of a team. */
const assignmentsCalls = (deps: EmailingDeps): Implementation[] => [
  implement(contracts.teamAssignmentsCall, async (_input, who) => ({ team: await readTeamAssignments(deps, who) })),
  implement(contracts.assignCall, (input, who) => assign(deps, who, input)),
  implement(contracts.assignToSeveralCall, (input, who) => assignToSeveral(deps, who, input)),
  implement(contracts.checkOffCall, (input, who) => checkOff(deps, who, input)),
  implement(contracts.editAssignmentCall, (input, who) => editAssignment(deps, who, input)),
  implement(contracts.removeAssignmentCall, (input, who) => removeAssignment(deps, who, input)),
  implement(contracts.tieSeatCall, (input, who) => tieSeat(deps, who, input)),
  implement(contracts.teamCollectCall, (input, who) => collectForTeam(deps, who, input)),
]

export const assignmentsFeature: Feature = {
  calls: assignmentsCalls,
  enqueuedEarly: [assignedEmailJob],
  onTeamTransferred: moveToNewOwner,
  exportedData,
}
