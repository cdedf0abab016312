import { createHash, randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { teamInvitation, teamSeat, users } from '#server/db/schema/index.ts'
import { knownProductIds } from '#server/features/billing/subscriptions/stripe/plan-ids.ts'
import { confirmEmail } from '#server/features/identity/auth/email-flows/confirm-email.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { memberJoinedEmail, memberLeftEmail, removedFromTeamEmail } from '#server/mail/texts/team-emails.ts'
import type { joinTeamCall, teamInvitationCall } from '#shared/contracts/billing/teams.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { entitlement } from '#shared/domain/entitlement.ts'
import { AppError } from '#shared/errors.ts'
import { forgetDeparture, recordFormerMember } from './domains/former-members.ts'
import {
  findSeat,
  hasActiveTeamPlan,
  hasMembers,
  listMembers,
  lockUsers,
  seatsOf,
  type TeamDeps,
  takeSeat,
} from './team-queries.ts'

/** 32 characters that are hard to confuse: 5 bits each, 40 bits per code. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 4

/** A new code, such as "7KQ2-M0XD". */
export function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${group()}-${group()}`
}

/** Accepts codes without the hyphen, in lower case, and with O for 0 or I and L for 1. */
export const normalizeCode = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/**
 * Derives the link's token from the code, so one row serves both and using either uses up both. Bound to the invitation
 * and not to the owner, since a team can be transferred.
 */
export const tokenOf = (secrets: SecretBox, invitation: { id: string; email: string }, code: string): string =>
  secrets.sign('team invitation', [invitation.id, invitation.email, normalizeCode(code)].join('\n'))

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

type Invitation = typeof teamInvitation.$inferSelect

/** Includes used and expired invitations, so that the caller can say which it is. */
async function findByToken(db: Db, token: string): Promise<Invitation | null> {
  const [row] = await db
    .select()
    .from(teamInvitation)
    .where(eq(teamInvitation.tokenHash, hashToken(token)))
  return row ?? null
}

/** Finds an invitation by the code from the email. The code is valid only together with the invited address. */
async function findByCode(
  { database, secrets }: TeamDeps,
  { email, code }: { email: string; code: string },
): Promise<Invitation | null> {
  const rows = await database.db.select().from(teamInvitation).where(eq(teamInvitation.email, email))
  return rows.find((row) => hashToken(tokenOf(secrets, row, code)) === row.tokenHash) ?? null
}

/**
 * Describes an invitation to visitors who aren't signed in. The link is secret, so both email addresses can be shown.
 * @throws AppError invitation_invalid
 */
export async function describeInvitation(
  deps: TeamDeps,
  token: string,
): Promise<z.input<typeof teamInvitationCall.output>> {
  const { db } = deps.database
  const invitation = await findByToken(db, token)
  if (!invitation) throw new AppError('invitation_invalid')
  const [owner] = await db.select({ email: users.email }).from(users).where(eq(users.id, invitation.ownerId))
  return {
    status: await statusOf(deps, invitation),
    email: invitation.email,
    ownerEmail: owner?.email ?? '',
  }
}

async function statusOf(deps: TeamDeps, { ownerId, acceptedAt, expiresAt }: Invitation) {
  const { db } = deps.database
  if (acceptedAt) return 'used'
  if (expiresAt <= deps.clock()) return 'expired'
  if (!(await hasActiveTeamPlan(deps, db, ownerId))) return 'lapsed'
  return (await listMembers(db, ownerId)).length + 1 >= (await seatsOf(deps, db, ownerId)) ? 'full' : 'open'
}

/**
 * Removes a member. Access ends with their next request, since it is computed from the seat. Also works without an active
 * plan.
 */
export async function removeMember(deps: TeamDeps, who: Caller, userId: string): Promise<{ removed: boolean }> {
  return deps.database.db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    const email = await endSeat(deps, tx, who, { userId, ownerEmail })
    if (email === null) return { removed: false }
    await deps.enqueue(tx, emailJob, removedFromTeamEmail({ to: email, ownerEmail, config: deps.config, list: [] }))
    return { removed: true }
  })
}

/** Ends a seat in the caller's team, without an email. @returns the member's email address; null if there is no seat */
export async function endSeat(
  deps: Pick<TeamDeps, 'clock' | 'secrets'>,
  tx: Tx,
  who: Caller,
  { userId, ownerEmail }: { userId: string; ownerEmail: string },
): Promise<string | null> {
  const member = (await listMembers(tx, who.userId)).find((one) => one.userId === userId)
  if (!member) return null
  await tx.delete(teamSeat).where(and(eq(teamSeat.ownerId, who.userId), eq(teamSeat.userId, userId)))
  await recordFormerMember(deps, tx, { ownerId: who.userId, userId, email: member.email })
  await recordSecurityEvent(tx, {
    event: 'team_removed',
    userId,
    email: member.email,
    client: who.client,
    note: ownerEmail,
    now: deps.clock(),
  })
  return member.email
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
    await recordFormerMember(deps, tx, { ownerId: seat.ownerId, userId: who.userId, email: who.email })
    await recordSecurityEvent(tx, {
      event: 'team_left',
      userId: who.userId,
      email: who.email,
      client: who.client,
      note: seat.ownerEmail,
      now: deps.clock(),
    })
    const { config } = deps
    await deps.enqueue(tx, emailJob, memberLeftEmail({ to: seat.ownerEmail, memberEmail: who.email, config, list: [] }))
    return { left: true }
  })
}

/** Code attempts per account. Low enough for 40-bit codes. */
const attemptLimit = { points: 10, windowSeconds: 3600 }

/**
 * Joins a team. The account must have the invited address, so invitations can't be forwarded. Also confirms the address,
 * since link and code were sent only there, but never grants the admin role. Joining twice succeeds.
 * @throws AppError invitation_invalid, invitation_expired, invitation_used, invitation_wrong_address, already_in_team,
 * team_plan_lapsed, team_full, over_request_rate_limit
 */
export async function joinTeam(
  deps: TeamDeps,
  who: Caller,
  input: z.output<typeof joinTeamCall.input>,
): Promise<z.input<typeof joinTeamCall.output>> {
  const found = 'token' in input ? await findByToken(deps.database.db, input.token) : await byCode(deps, who, input)
  if (!found) throw new AppError('invitation_invalid')
  if (who.isAnonymous || found.email !== who.email) throw new AppError('invitation_wrong_address')
  await deps.database.db.transaction((tx) => acceptInvitation(deps, tx, who, found))
  return { joined: true, ownPlan: entitlement(who.subscription, deps.clock(), knownProductIds(deps.config)).entitled }
}

async function byCode(deps: TeamDeps, who: Principal, input: { email: string; code: string }) {
  const email = normalizeEmail(input.email)
  if (email !== who.email) throw new AppError('invitation_wrong_address')
  const { db } = deps.database
  const { points } = await consumePoint(
    db,
    userCounterKey(who.userId, 'team-code'),
    attemptLimit.windowSeconds,
    deps.clock(),
  )
  if (points > attemptLimit.points) throw new AppError('over_request_rate_limit')
  return findByCode(deps, { email, code: input.code })
}

async function acceptInvitation(deps: TeamDeps, tx: Tx, who: Caller, found: Invitation): Promise<void> {
  const now = deps.clock()
  const { userId } = who
  const emails = await lockUsers(tx, [found.ownerId, userId])
  // Read again under the lock: it may have been used, revoked, resent or transferred since.
  const [invitation] = await tx
    .select()
    .from(teamInvitation)
    .where(and(eq(teamInvitation.id, found.id), eq(teamInvitation.tokenHash, found.tokenHash)))
    .for('update')
  if (!invitation) throw new AppError('invitation_invalid')
  const { ownerId, email } = invitation
  if (ownerId !== found.ownerId || emails.get(userId) !== email) throw new AppError('conflict')
  const seat = await findSeat(tx, userId)
  if (seat?.ownerId === ownerId) return
  if (invitation.acceptedAt) throw new AppError('invitation_used')
  if (invitation.expiresAt <= now) throw new AppError('invitation_expired')
  if (seat || (await hasMembers(tx, userId)) || (await hasActiveTeamPlan(deps, tx, userId))) {
    throw new AppError('already_in_team')
  }
  if (!(await hasActiveTeamPlan(deps, tx, ownerId)) || (await findSeat(tx, ownerId))) {
    throw new AppError('team_plan_lapsed')
  }
  if (!(await takeSeat(deps, tx, { ownerId, userId, joinedAt: now }))) throw new AppError('team_full')
  await tx.update(teamInvitation).set({ acceptedAt: now }).where(eq(teamInvitation.id, invitation.id))
  await forgetDeparture(deps, tx, { ownerId, userId, email })

  const client = who.client
  if (!who.emailConfirmed) {
    await confirmEmail(tx, { userId, email, now })
    await recordSecurityEvent(tx, { event: 'address_confirmed', userId, email, client, now })
  }
  const ownerEmail = emails.get(ownerId) ?? ''
  await recordSecurityEvent(tx, { event: 'team_joined', userId, email, client, note: ownerEmail, now })
  const { config } = deps
  await deps.enqueue(tx, emailJob, memberJoinedEmail({ to: ownerEmail, memberEmail: email, config }))
}
