import { eq } from 'drizzle-orm'
import { staffInvitations } from '#server/db/schema/index.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { giveStaffRole, lockOwners, readStaffPosition } from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { newStaffEmail } from '#server/mail/texts/staff-emails.ts'
import { AppError } from '#shared/errors.ts'
import { findStaffInvitation, type StaffDeps } from './invite-staff.ts'

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
