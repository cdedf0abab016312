import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { teamInvitation } from '#server/db/schema/index.ts'
import { findSubscriptionRow } from '#server/features/billing/subscriptions/sync/subscription-row.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { requireAcceptableEmail } from '#server/features/identity/auth/limits/bot-protection.ts'
import { consumeDailyEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { teamInvitationEmail } from '#server/mail/texts/team-emails.ts'
import type { InvitedAddress } from '#shared/contracts/billing/teams.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import { hashToken, newCode, tokenOf } from './join-team.ts'
import { findSeat, hasActiveTeamPlan, hasPaid, listMembers, lockUsers, seatsOf, type TeamDeps } from './team-queries.ts'

export const invitationDays = 7
/** Can be more than the free seats, since not everyone accepts. First come, first served. Larger teams: their seats. */
const maxOpenInvitations = 10
const resendAfterMs = 60_000
/** Invitation emails per owner, revoked invitations included. Larger teams: two for each seat. Fewer during a trial. */
const emailLimit = { points: 30, trialPoints: 10, windowSeconds: 24 * 60 * 60 }

/**
 * Sends an invitation email. If the address was invited before, the old link and code stop working.
 * @throws AppError address_not_confirmed, no_team_plan, already_in_team, already_member, team_full,
 * too_many_invitations, over_email_send_rate_limit; validation_failed, email_address_invalid and
 * email_address_not_authorized for the address
 */
export async function inviteMember(deps: TeamDeps, who: Caller, given: string): Promise<{ invited: true }> {
  const email = requireAddress(deps, given)
  requireInviter(who)
  await inviteAddress(deps, who, email)
  return { invited: true }
}

/** @throws AppError validation_failed, email_address_invalid, email_address_not_authorized */
function requireAddress(deps: TeamDeps, given: string): string {
  const email = requireEmail(given)
  requireAcceptableEmail(deps.config, email)
  return email
}

/** @throws AppError address_not_confirmed */
export function requireInviter(who: Caller): void {
  if (!who.emailConfirmed || who.isAnonymous) throw new AppError('address_not_confirmed')
}

/**
 * `onlyFresh` sends nothing to an address with an open invitation, and keeps a seat for each open one.
 * @returns whether an email was sent
 */
async function inviteAddress(deps: TeamDeps, who: Caller, email: string, { onlyFresh = false } = {}): Promise<boolean> {
  return deps.database.db.transaction(async (tx) => {
    const ownerEmail = (await lockUsers(tx, [who.userId])).get(who.userId) ?? ''
    if (!(await hasActiveTeamPlan(deps, tx, who.userId))) throw new AppError('no_team_plan')
    if (await findSeat(tx, who.userId)) throw new AppError('already_in_team')
    const seats = await seatsOf(deps, tx, who.userId)
    const invitation = { ownerId: who.userId, ownerEmail, email, seats }
    const isOpen = await requireOpenSeat(deps, tx, invitation, onlyFresh)
    if (isOpen && onlyFresh) return false
    await send(deps, tx, invitation)
    await recordSecurityEvent(tx, {
      event: 'team_invitation_sent',
      userId: who.userId,
      email: ownerEmail,
      client: who.client,
      note: email,
      now: deps.clock(),
    })
    return true
  })
}

/**
 * Resends an invitation with a new link and code, valid for another 7 days.
 * @throws AppError not_found; errors of `inviteMember`
 */
export async function resendInvitation(deps: TeamDeps, caller: Caller, id: string): Promise<{ invited: true }> {
  const [invitation] = await deps.database.db
    .select({ email: teamInvitation.email })
    .from(teamInvitation)
    .where(unused(id, caller.userId))
  if (!invitation) throw new AppError('not_found')
  return inviteMember(deps, caller, invitation.email)
}

/**
 * Revokes an invitation, so that its link and code stop working.
 */
export async function revokeInvitation(deps: TeamDeps, who: Caller, id: string): Promise<{ revoked: boolean }> {
  const revoked = await deps.database.db
    .delete(teamInvitation)
    .where(unused(id, who.userId))
    .returning({ id: teamInvitation.id })
  return { revoked: revoked.length > 0 }
}

const unused = (id: string, ownerId: string) =>
  and(eq(teamInvitation.id, id), eq(teamInvitation.ownerId, ownerId), isNull(teamInvitation.acceptedAt))

type InvitationEmail = { ownerId: string; ownerEmail: string; email: string; seats: number }

/** @returns whether an invitation of the address is open */
async function requireOpenSeat(
  deps: TeamDeps,
  tx: Tx,
  { ownerId, ownerEmail, email, seats }: InvitationEmail,
  keepsSeats: boolean,
): Promise<boolean> {
  const members = await listMembers(tx, ownerId)
  if ([ownerEmail, ...members.map((member) => member.email)].includes(email)) throw new AppError('already_member')
  if (members.length + 1 >= seats) throw new AppError('team_full')
  const open = await tx
    .select({ email: teamInvitation.email })
    .from(teamInvitation)
    .where(
      and(
        eq(teamInvitation.ownerId, ownerId),
        isNull(teamInvitation.acceptedAt),
        gt(teamInvitation.expiresAt, deps.clock()),
      ),
    )
  const others = open.filter((one) => one.email !== email).length
  const isOpen = others < open.length
  if (others >= Math.max(maxOpenInvitations, seats)) throw new AppError('too_many_invitations')
  if (keepsSeats && !isOpen && members.length + 1 + others >= seats) throw new AppError('team_full')
  return isOpen
}

async function send(deps: TeamDeps, tx: Tx, { ownerId, ownerEmail, email, seats }: InvitationEmail): Promise<void> {
  const now = deps.clock()
  const [known] = await tx
    .select({ id: teamInvitation.id, sentAt: teamInvitation.sentAt, acceptedAt: teamInvitation.acceptedAt })
    .from(teamInvitation)
    .where(and(eq(teamInvitation.ownerId, ownerId), eq(teamInvitation.email, email)))
  const waitMs = known ? known.sentAt.getTime() + resendAfterMs - now.getTime() : 0
  if (waitMs > 0) {
    throw new AppError('over_email_send_rate_limit', {
      message: `We just emailed this address. Try again in ${Math.ceil(waitMs / 1000)} seconds.`,
    })
  }
  const { points } = await consumePoint(tx, userCounterKey(ownerId, 'team-mails'), emailLimit.windowSeconds, now)
  const isTrial = (await findSubscriptionRow(tx, ownerId))?.status === 'trialing' && !(await hasPaid(tx, ownerId))
  if (points > (isTrial ? emailLimit.trialPoints : Math.max(emailLimit.points, 2 * seats))) {
    throw new AppError('over_email_send_rate_limit', {
      message: 'You’ve sent the most invitations allowed in a day. Try again tomorrow.',
    })
  }
  // Per address and across all owners, so that many teams can't flood one address.
  await consumeDailyEmailLimit(tx, 'team_invitation', email, now)
  const id = known?.id ?? crypto.randomUUID()
  const code = newCode()
  const token = tokenOf(deps.secrets, { id, email }, code)
  const fresh = {
    tokenHash: hashToken(token),
    sentAt: now,
    expiresAt: new Date(now.getTime() + invitationDays * dayMs),
    acceptedAt: null,
  }
  await tx
    .insert(teamInvitation)
    .values({ id, ownerId, email, createdAt: now, ...fresh })
    .onConflictDoUpdate({ target: teamInvitation.id, set: fresh })
  // The token is in the fragment, so that it isn't sent to servers or logged.
  const link = `${deps.config.publicUrl}/team/join#invitation=${token}`
  await deps.enqueue(
    tx,
    emailJob,
    teamInvitationEmail({ to: email, config: deps.config, ownerEmail, link, code, days: invitationDays }),
  )
}

/**
 * Invites several people. Each address has its own result, and a repeated request invites no one twice.
 * @throws AppError address_not_confirmed, no_team_plan, already_in_team
 */
export async function inviteMembers(
  deps: TeamDeps,
  caller: Caller,
  given: readonly string[],
): Promise<{ results: InvitedAddress[] }> {
  requireInviter(caller)
  const results: InvitedAddress[] = []
  for (const text of new Set(given)) {
    results.push({ email: text.trim(), result: await inviteOne(deps, caller, text) })
  }
  return { results }
}

async function inviteOne(deps: TeamDeps, caller: Caller, text: string): Promise<InvitedAddress['result']> {
  try {
    const isSent = await inviteAddress(deps, caller, requireAddress(deps, text), { onlyFresh: true })
    return isSent ? 'invited' : 'already_invited'
  } catch (error) {
    const result = error instanceof AppError ? results[error.code] : undefined
    if (!result) throw error
    return result
  }
}

/** Errors about one address. The others end the request. */
const results: Readonly<Record<string, InvitedAddress['result']>> = {
  validation_failed: 'invalid',
  email_address_invalid: 'invalid',
  email_address_not_authorized: 'invalid',
  already_member: 'already_member',
  team_full: 'no_seat',
  too_many_invitations: 'no_seat',
  over_email_send_rate_limit: 'limited',
}
