import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { teamInvitation, teamSeat } from '#server/db/schema/index.ts'
import { type ExportParts, firstOrNull } from './export-part.ts'

export const teamParts: ExportParts = {
  team: { tables: ['public.team_seat', 'public.team_invitation'], read: readTeam },
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
  return { ownSeat: await firstOrNull(ownSeat), seats, invitations }
}
