import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { businessLocation, teamInvitation, teamSeat, teamSeatLocation } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  team: { tables: ['public.team_seat', 'public.team_invitation', 'public.team_seat_location'], read: readTeam },
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
