import { createHash, randomBytes } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { staffInvitations, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { requireAcceptableEmail } from '#server/features/identity/auth/limits/bot-protection.ts'
import { consumeEmailLimit } from '#server/features/identity/auth/limits/email-limits.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import {
  giveStaffRole,
  lockOwners,
  readActiveRole,
  readStaffPosition,
} from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { newStaffEmail, staffInvitationEmail } from '#server/mail/texts/staff-emails.ts'
import type { staffInvitationCall } from '#shared/contracts/identity/staff.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { parseStoredRole, type StaffRole, storedRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'

export type StaffDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>

/**
 * Runs a change of the staff under a lock on all owners, so that concurrent changes happen one after the other. Someone
 * who isn't an owner anymore when their turn comes changes nothing. Views of members end with the role.
 * @throws AppError role_not_allowed
 */
export async function changeStaff<T>(
  deps: StaffDeps,
  who: Caller,
  change: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> {
  return deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const now = deps.clock()
    const role = await readActiveRole(tx, who.userId, now)
    if (role !== 'owner') throw new AppError('role_not_allowed', { extra: { role } })
    const changed = await change(tx, now)
    await endInvalidViews(tx, now)
    return changed
  })
}

const invitationDays = 7
/** How long an expired invitation stays in the list. */
const expiredDays = 30

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * Emails an invitation. If the address was invited before, the old link stops working.
 * @throws AppError already_staff, over_email_send_rate_limit; validation_failed, email_address_invalid
 * and email_address_not_authorized for the address
 */
export async function inviteStaff(
  deps: StaffDeps,
  caller: Caller,
  { email: given, role }: { email: string; role: StaffRole },
) {
  const email = requireEmail(given)
  requireAcceptableEmail(deps.config, email)
  const who = caller
  return changeStaff(deps, caller, async (tx, now) => {
    await requireNewcomer(tx, email)
    await consumeEmailLimit(tx, 'staff_invitation', email, now)
    await tx
      .delete(staffInvitations)
      .where(lt(staffInvitations.expiresAt, new Date(now.getTime() - expiredDays * dayMs)))
    const [before] = await tx.delete(staffInvitations).where(eq(staffInvitations.email, email)).returning()
    const token = randomBytes(32).toString('base64url')
    const invitation = {
      id: crypto.randomUUID(),
      email,
      role: storedRole(role),
      tokenHash: hashToken(token),
      invitedById: who.userId,
      sentAt: now,
      expiresAt: new Date(now.getTime() + invitationDays * dayMs),
    }
    await tx.insert(staffInvitations).values(invitation)
    // The token is in the fragment, so that it isn't sent to servers or logged.
    const link = `${deps.config.publicUrl}/staff/join#invitation=${token}`
    const message = staffInvitationEmail({
      to: email,
      config: deps.config,
      invitedBy: who.email,
      role,
      link,
      days: invitationDays,
    })
    await deps.enqueue(tx, emailJob, message)
    await recordAdminEvent(tx, who, {
      event: 'staff_invited',
      about: { userId: null, email },
      changes: [{ field: 'invitedAs', before: parseStoredRole(before?.role), after: role }],
      now,
    })
    return { id: invitation.id, expiresAt: invitation.expiresAt.toISOString() }
  })
}

/** @throws AppError already_staff */
async function requireNewcomer(tx: Tx, email: string): Promise<void> {
  const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (account && (await readStaffPosition(tx, account.id))) throw new AppError('already_staff')
}

/** @throws AppError not_found */
export async function revokeStaffInvitation(deps: StaffDeps, caller: Caller, id: string) {
  return changeStaff(deps, caller, async (tx, now) => {
    const [revoked] = await tx.delete(staffInvitations).where(eq(staffInvitations.id, id)).returning()
    if (!revoked) throw new AppError('not_found')
    await recordAdminEvent(tx, caller, {
      event: 'staff_invitation_revoked',
      about: { userId: null, email: revoked.email },
      changes: [{ field: 'invitedAs', before: parseStoredRole(revoked.role), after: null }],
      now,
    })
    return {}
  })
}

/** @throws AppError invitation_invalid, also if whoever sent it is no longer an owner */
async function findStaffInvitation(db: Db | Tx, token: string, now: Date) {
  const [row] = await db
    .select({ invitation: staffInvitations, invitedBy: users.email })
    .from(staffInvitations)
    .innerJoin(users, eq(users.id, staffInvitations.invitedById))
    .where(eq(staffInvitations.tokenHash, hashToken(token)))
  const role = parseStoredRole(row?.invitation.role)
  if (!row || !role) throw new AppError('invitation_invalid')
  if ((await readActiveRole(db, row.invitation.invitedById, now)) !== 'owner') throw new AppError('invitation_invalid')
  return { ...row.invitation, role, invitedBy: row.invitedBy ?? '' }
}

/**
 * Describes an invitation to visitors who aren't signed in. The link is secret, so both email addresses can be shown.
 * @throws AppError invitation_invalid
 */
export async function describeStaffInvitation(
  { database, clock }: Pick<StaffDeps, 'database' | 'clock'>,
  token: string,
): Promise<z.input<typeof staffInvitationCall.output>> {
  const { email, role, invitedBy, expiresAt } = await findStaffInvitation(database.db, token, clock())
  return { email, role, invitedBy, isExpired: expiresAt <= clock() }
}

/**
 * Joins the staff. The account must have the invited address, so invitations can't be forwarded, and the address must be
 * confirmed, which removes passwords that someone else may have set. All owners get an email.
 * @throws AppError invitation_invalid, invitation_expired, invitation_wrong_address, address_not_confirmed, already_staff
 */
export async function acceptStaffInvitation(deps: StaffDeps, who: Caller, token: string) {
  const { config } = deps
  return deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const now = deps.clock()
    const { id, email, role, expiresAt } = await findStaffInvitation(tx, token, now)
    if (expiresAt <= now) throw new AppError('invitation_expired')
    if (who.isAnonymous || who.email !== email) throw new AppError('invitation_wrong_address')
    if (!who.emailConfirmed) throw new AppError('address_not_confirmed')
    if (await readStaffPosition(tx, who.userId)) throw new AppError('already_staff')
    const used = await tx.delete(staffInvitations).where(eq(staffInvitations.id, id)).returning()
    if (used.length === 0) throw new AppError('invitation_invalid')
    const owners = await listAdminEmails(tx, now)
    await giveStaffRole(tx, who.userId, role)
    await endInvalidViews(tx, now)
    await recordAdminEvent(tx, who, {
      event: 'staff_joined',
      about: { userId: who.userId, email },
      changes: [{ field: 'role', before: null, after: role }],
      now,
    })
    for (const to of owners) {
      await deps.enqueue(tx, emailJob, newStaffEmail({ to, email, role, by: null, config }))
    }
    return { role }
  })
}
