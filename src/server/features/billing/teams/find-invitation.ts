import { createHash, randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db } from '#server/db/database.ts'
import { teamInvitation, users } from '#server/db/schema/index.ts'
import type { teamInvitationCall } from '#shared/contracts/billing/teams.ts'
import { AppError } from '#shared/errors.ts'
import { hasActiveTeamPlan, listMembers, seatsOf, type TeamDeps } from './team-queries.ts'

/** 32 characters that are hard to confuse: 5 bits each, 40 bits per code. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groupLength = 4

/** A new code, such as "7KQ2-M0XD". */
export function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${group()}-${group()}`
}

/** Accepts codes without the hyphen, in lower case, and with O for 0 or I and L for 1. */
const normalize = (code: string) =>
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
  secrets.sign('team invitation', [invitation.id, invitation.email, normalize(code)].join('\n'))

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

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
