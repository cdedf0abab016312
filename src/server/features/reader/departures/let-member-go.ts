import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { oauthConsents, sessions, shareLinks } from '#server/db/schema/index.ts'
import { endSeat } from '#server/features/billing/teams/join-team.ts'
import { listMembers, lockUsers, type TeamDeps } from '#server/features/billing/teams/team-queries.ts'
import { endConnections } from '#server/features/identity/auth/oauth/end-connections.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { logOut } from '#server/features/identity/auth/sessions/log-out.ts'
import { reassignOpen } from '#server/features/reader/assignments/change-assignments.ts'
import { endAllShareLinks } from '#server/features/reader/sharing/share-links.ts'
import { endTaskLinksOf } from '#server/features/reader/task-links/task-links.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberLeftEmail, removedFromTeamEmail } from '#server/mail/texts/team-emails.ts'
import type { departureCall, letMemberGoCall } from '#shared/contracts/reader/departures.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { AppError } from '#shared/errors.ts'

/** @throws AppError not_in_team */
export async function readDeparture(
  { database: { db } }: Pick<TeamDeps, 'database'>,
  who: Caller,
  userId: string,
): Promise<z.input<typeof departureCall.output>> {
  refuseOwner(who, userId)
  const member = (await listMembers(db, who.userId)).find((one) => one.userId === userId)
  if (!member) throw new AppError('not_in_team')
  return { email: member.email, ...(await countAccess(db, userId)) }
}

const countAccess = async (db: Db | Tx, userId: string) => ({
  shareLinks: await db.$count(shareLinks, eq(shareLinks.userId, userId)),
  sessions: await db.$count(sessions, eq(sessions.userId, userId)),
  assistants: await db.$count(oauthConsents, eq(oauthConsents.userId, userId)),
})

function refuseOwner(who: Caller, userId: string): void {
  if (userId !== who.userId) return
  throw new AppError('not_in_team', { message: 'You own this team. Make someone else the owner first.' })
}

/**
 * One transaction, so that nothing is left with a person without a seat. The account itself, its password and what it paid
 * for stay theirs.
 * @throws AppError not_in_team, location_not_found
 */
export async function letMemberGo(
  deps: TeamDeps,
  who: Caller,
  { userId, to }: z.output<typeof letMemberGoCall.input>,
): Promise<z.input<typeof letMemberGoCall.output>> {
  refuseOwner(who, userId)
  return deps.database.db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    const email = await endSeat(deps, tx, who, { userId, ownerEmail })
    if (email === null) throw new AppError('not_in_team')
    const now = deps.clock()
    const tasks = await endTaskLinksOf(tx, { ownerId: who.userId, userId, now })
    const reassigned = to ? await reassignOpen(deps, tx, who, { from: userId, to }) : { count: 0, name: '' }
    const { shareLinks: links, sessions: devices, assistants } = await countAccess(tx, userId)
    await endAllShareLinks(tx, userId)
    await logOut(tx, { userId, sessionId: userId }, 'global')
    await endConnections(tx, userId)
    const entry = { userId, email, client: who.client, note: ownerEmail, now }
    if (devices > 0) await recordSecurityEvent(tx, { event: 'session_ended', ...entry })
    if (assistants > 0) await recordSecurityEvent(tx, { event: 'assistant_disconnected', ...entry })
    const ended = [
      devices > 0 && `Signed out on ${formatCount(devices, 'device')}.`,
      links + tasks > 0 && `${formatCount(links + tasks, 'link')} ended.`,
      assistants > 0 && `${formatCount(assistants, 'assistant')} disconnected.`,
    ].filter((line) => line !== false)
    const moved =
      reassigned.count > 0 && `${formatCount(reassigned.count, 'open assignment')} now for ${reassigned.name}.`
    const { config } = deps
    await deps.enqueue(tx, emailJob, removedFromTeamEmail({ to: email, ownerEmail, config, list: ended }))
    const list = moved ? [moved, ...ended] : ended
    await deps.enqueue(tx, emailJob, memberLeftEmail({ to: ownerEmail, memberEmail: email, config, list }))
    return { reassigned: reassigned.count, ended: links + tasks + devices + assistants }
  })
}
