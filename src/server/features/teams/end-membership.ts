import { and, eq } from 'drizzle-orm'
import { teamSeat } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '#server/features/auth/security/security-event.ts'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import { type CallerContext, callerInfo } from '#server/features/auth/sessions/client-info.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberLeftEmail, removedFromTeamEmail } from '#server/mail/texts/team-emails.ts'
import type { TeamDeps } from './team-deps.ts'
import { findSeat, listMembers, lockUsers } from './team-queries.ts'

/**
 * Takes a seat back. Its right was never stored, so the member's next call finds it gone. Works while the plan does not
 * run, too.
 * @throws AppError step_up_required
 */
export async function removeMember(
  deps: TeamDeps,
  { who, request }: CallerContext,
  userId: string,
): Promise<{ removed: boolean }> {
  await requireStepUp(deps, who)
  return deps.database.db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    const member = (await listMembers(tx, who.userId)).find((one) => one.userId === userId)
    if (!member) return { removed: false }
    await tx.delete(teamSeat).where(and(eq(teamSeat.ownerId, who.userId), eq(teamSeat.userId, userId)))
    await recordSecurityEvent(tx, {
      event: 'team_removed',
      userId,
      email: member.email,
      client: callerInfo(request),
      note: ownerEmail,
      now: deps.clock(),
    })
    const { publicUrl } = deps.config
    await deps.enqueue(tx, emailJob, removedFromTeamEmail({ to: member.email, ownerEmail, publicUrl }))
    return { removed: true }
  })
}

/**
 * Gives the caller's own seat back.
 * @throws AppError step_up_required
 */
export async function leaveTeam(deps: TeamDeps, { who, request }: CallerContext): Promise<{ left: boolean }> {
  await requireStepUp(deps, who)
  return deps.database.db.transaction(async (tx) => {
    const known = await findSeat(tx, who.userId)
    if (!known) return { left: false }
    await lockUsers(tx, [known.ownerId, who.userId])
    // The team may have changed hands while this waited: what counts is that there is a seat.
    const seat = await findSeat(tx, who.userId)
    const gone = await tx.delete(teamSeat).where(eq(teamSeat.userId, who.userId)).returning({ seat: teamSeat.seat })
    if (!seat || gone.length === 0) return { left: false }
    await recordSecurityEvent(tx, {
      event: 'team_left',
      userId: who.userId,
      email: who.email,
      client: callerInfo(request),
      note: seat.ownerEmail,
      now: deps.clock(),
    })
    const { publicUrl } = deps.config
    await deps.enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: who.email, publicUrl }))
    return { left: true }
  })
}
