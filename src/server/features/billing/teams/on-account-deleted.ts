import { eq, or } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { teamInvitation, teamSeat, users } from '#server/db/schema/index.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberLeftEmail, teamDissolvedEmail } from '#server/mail/texts/team-emails.ts'
import type { TeamDeps } from './team-deps.ts'
import { findSeat, listMembers } from './team-queries.ts'

/**
 * Frees a member's seat and emails the owner, or ends an owner's team and emails its members. Deletes the rows here,
 * because a soft-deleted account keeps its user row, so nothing cascades.
 */
export async function cleanUpTeam(
  tx: Tx,
  userId: string,
  { config, enqueue }: Pick<TeamDeps, 'config' | 'enqueue'>,
): Promise<void> {
  const [leaving] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  const email = leaving?.email ?? ''
  const seat = await findSeat(tx, userId)
  if (seat) await enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: email, config }))
  for (const member of await listMembers(tx, userId)) {
    await enqueue(tx, emailJob, teamDissolvedEmail({ to: member.email, ownerEmail: email, config }))
  }
  await tx.delete(teamSeat).where(or(eq(teamSeat.ownerId, userId), eq(teamSeat.userId, userId)))
  await tx.delete(teamInvitation).where(eq(teamInvitation.ownerId, userId))
}
