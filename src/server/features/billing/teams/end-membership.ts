import { and, eq } from 'drizzle-orm'
import { teamSeat } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberLeftEmail, removedFromTeamEmail } from '#server/mail/texts/team-emails.ts'
import { findSeat, listMembers, lockUsers, type TeamDeps } from './team-queries.ts'

/**
 * Removes a member. Access ends with their next request, since it is computed from the seat. Also works without an active
 * plan.
 */
export async function removeMember(deps: TeamDeps, who: Caller, userId: string): Promise<{ removed: boolean }> {
  return deps.database.db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    const member = (await listMembers(tx, who.userId)).find((one) => one.userId === userId)
    if (!member) return { removed: false }
    await tx.delete(teamSeat).where(and(eq(teamSeat.ownerId, who.userId), eq(teamSeat.userId, userId)))
    await recordSecurityEvent(tx, {
      event: 'team_removed',
      userId,
      email: member.email,
      client: who.client,
      note: ownerEmail,
      now: deps.clock(),
    })
    const { config } = deps
    await deps.enqueue(tx, emailJob, removedFromTeamEmail({ to: member.email, ownerEmail, config }))
    return { removed: true }
  })
}

/**
 * Gives up the caller's own seat.
 */
export async function leaveTeam(deps: TeamDeps, who: Caller): Promise<{ left: boolean }> {
  return deps.database.db.transaction(async (tx) => {
    const known = await findSeat(tx, who.userId)
    if (!known) return { left: false }
    await lockUsers(tx, [known.ownerId, who.userId])
    // Read again: the team may have been transferred while this waited for the lock.
    const seat = await findSeat(tx, who.userId)
    const deleted = await tx.delete(teamSeat).where(eq(teamSeat.userId, who.userId)).returning({ seat: teamSeat.seat })
    if (!seat || deleted.length === 0) return { left: false }
    await recordSecurityEvent(tx, {
      event: 'team_left',
      userId: who.userId,
      email: who.email,
      client: who.client,
      note: seat.ownerEmail,
      now: deps.clock(),
    })
    const { config } = deps
    await deps.enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: who.email, config }))
    return { left: true }
  })
}
