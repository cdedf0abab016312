import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { teamInvitation, users } from '#server/db/schema/index.ts'
import type { teamInvitationCall } from '#shared/contracts/billing/teams.ts'
import { AppError } from '#shared/errors.ts'
import { hashToken, tokenOf } from './invitation-code.ts'
import type { TeamDeps } from './team-deps.ts'
import { hasActiveTeamPlan, listMembers, seatsOf } from './team-queries.ts'

export type Invitation = typeof teamInvitation.$inferSelect

/** Includes used and expired invitations, so that the caller can say which it is. */
export async function findByToken(db: Db, token: string): Promise<Invitation | null> {
  const [row] = await db
    .select()
    .from(teamInvitation)
    .where(eq(teamInvitation.tokenHash, hashToken(token)))
  return row ?? null
}

/** Finds an invitation by the code from the email. The code is valid only together with the invited address. */
export async function findByCode(
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
