import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { seatRequest, teamInvitation, teamSeat, users } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { seatRequestAnsweredEmail, seatRequestDeclinedEmail, seatRequestEmail } from '#server/mail/texts/team-emails.ts'
import type { answerSeatRequestCall, OwnedTeam, requestSeatsCall, TeamView } from '#shared/contracts/billing/teams.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { AppError } from '#shared/errors.ts'
import { forgetDeparture } from '../domains/former-members.ts'
import { hashToken } from '../join-team.ts'
import {
  findSeat,
  hasActiveTeamPlan,
  hasMembers,
  listMembers,
  lockUsers,
  seatsOf,
  type TeamDeps,
  takeSeat,
} from '../team-queries.ts'

type Asking = { ownerId: string; ownerEmail: string; userId: string; email: string; seats: number }

/** @returns false if the person has a request already, open or declined. Nothing changes then. */
export async function createRequest(
  deps: TeamDeps,
  tx: Tx,
  { ownerEmail, email, ...asking }: Asking,
): Promise<boolean> {
  const created = await tx
    .insert(seatRequest)
    .values({ ...asking, requestedAt: deps.clock() })
    .onConflictDoNothing()
    .returning({ userId: seatRequest.userId })
  if (created.length === 0) return false
  const request = { to: ownerEmail, memberEmail: email, seats: asking.seats, config: deps.config }
  await deps.enqueue(tx, emailJob, seatRequestEmail(request))
  return true
}

/**
 * Asks the owner for seats: a member for others, or someone invited for their own once the team is full.
 * @throws AppError not_in_team, invitation_invalid, team_plan_lapsed, validation_failed if enough seats are free, conflict
 *   if the owner declined this person's request
 */
export async function requestSeats(
  deps: TeamDeps,
  who: Caller,
  { seats, token }: z.output<typeof requestSeatsCall.input>,
): Promise<{ requested: true }> {
  const { db } = deps.database
  const ownerId = token ? await findInviter(deps, who, token) : (await findSeat(db, who.userId))?.ownerId
  if (!ownerId) throw new AppError('not_in_team', { message: 'You aren’t on a team.' })
  await db.transaction(async (tx) => {
    const emails = await lockUsers(tx, [ownerId, who.userId])
    const seat = await findSeat(tx, who.userId)
    if (token ? seat : seat?.ownerId !== ownerId) throw new AppError('conflict')
    if (!(await hasActiveTeamPlan(deps, tx, ownerId))) throw new AppError('team_plan_lapsed')
    const wanted = token ? 1 : seats
    if ((await countFree(deps, tx, ownerId)) >= wanted) {
      throw new AppError('validation_failed', {
        message: token ? 'A seat is free now. Reload the page to join.' : 'Your team has enough free seats for that.',
      })
    }
    const { userId, email } = who
    const asking = { ownerId, ownerEmail: emails.get(ownerId) ?? '', userId, email, seats: wanted }
    const isOpen = (await createRequest(deps, tx, asking)) || (await listOpen(tx, ownerId, userId)).length > 0
    if (!isOpen) throw new AppError('conflict', { message: 'The team’s owner has declined your request for a seat.' })
  })
  return { requested: true }
}

async function findInviter(deps: TeamDeps, who: Caller, token: string): Promise<string> {
  const [invitation] = await deps.database.db
    .select({ ownerId: teamInvitation.ownerId })
    .from(teamInvitation)
    .where(
      and(
        eq(teamInvitation.tokenHash, hashToken(token)),
        eq(teamInvitation.email, who.email),
        isNull(teamInvitation.acceptedAt),
        gt(teamInvitation.expiresAt, deps.clock()),
      ),
    )
  if (!invitation || who.isAnonymous) throw new AppError('invitation_invalid')
  return invitation.ownerId
}

const countFree = async (deps: TeamDeps, tx: Tx, ownerId: string) =>
  (await seatsOf(deps, tx, ownerId)) - (await listMembers(tx, ownerId)).length - 1

/**
 * Accepting needs free seats, which the owner adds first. It seats the person, or tells the member that there are enough.
 * A declined request of someone without a seat stays, so that signing in doesn't send another.
 * @returns false if the request was answered already
 * @throws AppError no_team_plan, team_full, already_in_team
 */
export async function answerSeatRequest(
  deps: TeamDeps,
  who: Caller,
  { userId, accept }: z.output<typeof answerSeatRequestCall.input>,
): Promise<{ answered: boolean }> {
  const { userId: ownerId } = who
  return deps.database.db.transaction(async (tx) => {
    const found = await listOpen(tx, ownerId, userId)
    if (found.length === 0) return { answered: false }
    const emails = await lockUsers(tx, [ownerId, userId])
    // Read again under the lock, for a second click.
    const [request] = await listOpen(tx, ownerId, userId)
    if (!request) return { answered: false }
    const { config } = deps
    const ownerEmail = emails.get(ownerId) ?? ''
    const answer = { to: request.email, ownerEmail, seats: formatCount(request.seats, 'seat'), config }
    if (!accept) {
      if (request.isMember) await tx.delete(seatRequest).where(isRequest(ownerId, userId))
      else await tx.update(seatRequest).set({ declinedAt: deps.clock() }).where(isRequest(ownerId, userId))
      await deps.enqueue(tx, emailJob, seatRequestDeclinedEmail(answer))
      return { answered: true }
    }
    if (!(await hasActiveTeamPlan(deps, tx, ownerId))) throw new AppError('no_team_plan')
    if ((await countFree(deps, tx, ownerId)) < request.seats) throw new AppError('team_full')
    if (!request.isMember) await seatPerson(deps, tx, who, { userId, email: request.email, ownerEmail })
    await tx.delete(seatRequest).where(isRequest(ownerId, userId))
    await deps.enqueue(tx, emailJob, seatRequestAnsweredEmail(answer))
    return { answered: true }
  })
}

async function seatPerson(
  deps: TeamDeps,
  tx: Tx,
  { userId: ownerId, client }: Caller,
  { userId, email, ownerEmail }: { userId: string; email: string; ownerEmail: string },
): Promise<void> {
  const now = deps.clock()
  const hasTeam = (await findSeat(tx, userId)) || (await hasMembers(tx, userId))
  if (hasTeam || (await hasActiveTeamPlan(deps, tx, userId))) {
    throw new AppError('already_in_team', { message: 'They’re on another team now.' })
  }
  if (!(await takeSeat(deps, tx, { ownerId, userId, joinedAt: now }))) throw new AppError('team_full')
  await forgetDeparture(deps, tx, { ownerId, userId, email })
  const isInvited = and(eq(teamInvitation.ownerId, ownerId), eq(teamInvitation.email, email))
  await tx.update(teamInvitation).set({ acceptedAt: now }).where(isInvited)
  await recordSecurityEvent(tx, { event: 'team_joined', userId, email, client, note: ownerEmail, now })
}

const isRequest = (ownerId: string, userId?: string) =>
  and(eq(seatRequest.ownerId, ownerId), userId ? eq(seatRequest.userId, userId) : undefined)

async function listOpen(db: Db | Tx, ownerId: string, userId?: string) {
  const rows = await db
    .select({
      userId: seatRequest.userId,
      email: users.email,
      seats: seatRequest.seats,
      requestedAt: seatRequest.requestedAt,
      seat: teamSeat.seat,
    })
    .from(seatRequest)
    .innerJoin(users, eq(users.id, seatRequest.userId))
    .leftJoin(teamSeat, and(eq(teamSeat.userId, seatRequest.userId), eq(teamSeat.ownerId, seatRequest.ownerId)))
    .where(and(isRequest(ownerId, userId), isNull(seatRequest.declinedAt)))
    .orderBy(asc(seatRequest.requestedAt))
  return rows.map(({ seat, email, ...row }) => ({ ...row, email: email ?? '', isMember: seat !== null }))
}

export const listRequests = async (db: Db, ownerId: string): Promise<OwnedTeam['requests']> =>
  (await listOpen(db, ownerId)).map((row) => ({ ...row, requestedAt: row.requestedAt.toISOString() }))

/** The newest request of someone, as they see it. */
export async function findOwnRequest(db: Db, userId: string): Promise<TeamView['request']> {
  const [row] = await db
    .select({
      ownerEmail: users.email,
      seats: seatRequest.seats,
      requestedAt: seatRequest.requestedAt,
      declinedAt: seatRequest.declinedAt,
    })
    .from(seatRequest)
    .innerJoin(users, eq(users.id, seatRequest.ownerId))
    .where(eq(seatRequest.userId, userId))
    .orderBy(desc(seatRequest.requestedAt))
    .limit(1)
  if (!row) return null
  const { ownerEmail, seats, requestedAt, declinedAt } = row
  return { ownerEmail: ownerEmail ?? '', seats, requestedAt: requestedAt.toISOString(), declined: declinedAt !== null }
}
