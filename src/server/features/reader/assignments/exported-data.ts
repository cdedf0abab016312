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
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
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
      title: contentItems.title,
      to: teamAssignment.assignedTo,
      dueOn: teamAssignment.dueOn,
      note: teamAssignment.note,
      createdAt: teamAssignment.createdAt,
      done: teamAssignment.done,
      checkedAt: teamAssignment.checkedAt,
      removed: teamAssignment.removed,
    })
    .from(teamAssignment)
    .innerJoin(
      contentItems,
      and(eq(contentItems.kind, teamAssignment.kind), eq(contentItems.id, teamAssignment.itemId)),
    )
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
