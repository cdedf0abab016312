import { and, desc, eq, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { contentItems, teamAssignment, teamCollectionItem } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  assignments: { tables: ['public.team_assignment', 'public.team_collection_item'], read: readAssignments },
}

/** Of the user's own team, or made by or for the user. Without the other people. */
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
