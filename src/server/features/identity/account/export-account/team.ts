import { and, desc, eq, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  businessLocation,
  contentItems,
  teamAssignment,
  teamCollectionItem,
  teamInvitation,
  teamSeat,
  teamSeatLocation,
} from '#server/db/schema/index.ts'
import { type ExportParts, firstOrNull } from './export-part.ts'

export const teamParts: ExportParts = {
  team: { tables: ['public.team_seat', 'public.team_invitation', 'public.team_seat_location'], read: readTeam },
  assignments: { tables: ['public.team_assignment', 'public.team_collection_item'], read: readAssignments },
}

/** The user's own seat, and the seats and invitations of the team they own. */
async function readTeam(tx: Tx, userId: string) {
  const invitations = await tx
    .select({
      email: teamInvitation.email,
      createdAt: teamInvitation.createdAt,
      sentAt: teamInvitation.sentAt,
      expiresAt: teamInvitation.expiresAt,
      acceptedAt: teamInvitation.acceptedAt,
    })
    .from(teamInvitation)
    .where(eq(teamInvitation.ownerId, userId))
  const seats = await tx
    .select({ seat: teamSeat.seat, joinedAt: teamSeat.joinedAt })
    .from(teamSeat)
    .where(eq(teamSeat.ownerId, userId))
  const ownSeat = tx.select({ joinedAt: teamSeat.joinedAt }).from(teamSeat).where(eq(teamSeat.userId, userId))
  const ownLocations = await tx
    .select({ name: businessLocation.name })
    .from(teamSeatLocation)
    .innerJoin(businessLocation, eq(businessLocation.id, teamSeatLocation.locationId))
    .where(eq(teamSeatLocation.userId, userId))
  return { ownSeat: await firstOrNull(ownSeat), ownLocations, seats, invitations }
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
