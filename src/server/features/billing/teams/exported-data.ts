import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { personRow, personRows } from '#server/db/person-rows.ts'
import { businessLocation, teamInvitation, teamSeat, teamSeatLocation } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'

export const exportedData: PersonReaders = {
  team: readTeam,
}

/** The user's own seat, and the seats and invitations of the team they own. */
async function readTeam(tx: Tx, userId: string) {
  const ofTeam = { of: 'ownerId' } as const
  const columns = ['email', 'createdAt', 'sentAt', 'expiresAt', 'acceptedAt'] as const
  const invitations = await personRows(tx, teamInvitation, { ...ofTeam, columns }, userId)
  const seats = await personRows(tx, teamSeat, { ...ofTeam, columns: ['seat', 'joinedAt'] }, userId)
  const ownLocations = await tx
    .select({ name: businessLocation.name })
    .from(teamSeatLocation)
    .innerJoin(businessLocation, eq(businessLocation.id, teamSeatLocation.locationId))
    .where(eq(teamSeatLocation.userId, userId))
  return { ownSeat: await personRow(tx, teamSeat, ['joinedAt'], userId), ownLocations, seats, invitations }
}
