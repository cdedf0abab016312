import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { users } from '#server/db/schema/index.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import {
  giveStaffRole,
  readStaffPosition,
  removeStaffRole,
  requireOtherOwner,
  suspendStaffRole,
} from '#server/features/identity/auth/users/staff-roles.ts'
import type { Caller } from '#server/http/principal.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { newStaffEmail, staffAccessChangedEmail } from '#server/mail/texts/staff-emails.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import type { AdminEvent } from '#shared/domain/security-events.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import { changeStaff, type StaffDeps } from './staff-invitations.ts'

type RoleChange = { userId: string; from: StaffRole; to: StaffRole }

/** @throws AppError not_found, staff_changed, last_owner */
export async function changeStaffRole(deps: StaffDeps, caller: Caller, { userId, from, to }: RoleChange) {
  return changeStaff(deps, caller, async (tx, now) => {
    const person = await findStaff(tx, userId)
    if (person.role !== from) throw new AppError('staff_changed')
    if (from === to) return {}
    if (person.isSuspended) throw new AppError('validation_failed', { message: 'Reactivate this person first' })
    if (from === 'owner') await requireOtherOwner(tx, userId, now)
    await giveStaffRole(tx, userId, to)
    await record(tx, caller, 'staff_role_changed', person, [{ field: 'role', before: from, after: to }], now)
    await notify(deps, tx, caller, person, { change: 'role', role: to })
    if (to === 'owner') await tellOwners(deps, tx, caller, person, now)
    return {}
  })
}

/** @throws AppError not_found, last_owner; validation_failed for your own account */
export async function suspendStaff(
  deps: StaffDeps,
  caller: Caller,
  { userId, suspended }: { userId: string; suspended: boolean },
) {
  if (userId === caller.userId) {
    throw new AppError('validation_failed', { message: 'You can’t suspend your own access' })
  }
  return changeStaff(deps, caller, async (tx, now) => {
    const person = await findStaff(tx, userId)
    if (person.isSuspended === suspended) return {}
    if (suspended) {
      if (person.role === 'owner') await requireOtherOwner(tx, userId, now)
      await suspendStaffRole(tx, userId, person.role, now)
    } else {
      await giveStaffRole(tx, userId, person.role)
    }
    const [before, after] = suspended ? ['active', 'suspended'] : ['suspended', 'active']
    const event = suspended ? 'staff_suspended' : 'staff_reactivated'
    await record(tx, caller, event, person, [{ field: 'access', before, after }], now)
    await notify(deps, tx, caller, person, { change: suspended ? 'suspended' : 'reactivated', role: person.role })
    return {}
  })
}

/** @throws AppError not_found, last_owner */
export async function removeStaff(deps: StaffDeps, caller: Caller, userId: string) {
  return changeStaff(deps, caller, async (tx, now) => {
    const person = await findStaff(tx, userId)
    if (person.role === 'owner') await requireOtherOwner(tx, userId, now)
    await removeStaffRole(tx, userId)
    await record(tx, caller, 'staff_removed', person, [{ field: 'role', before: person.role, after: null }], now)
    await notify(deps, tx, caller, person, { change: 'removed', role: person.role })
    return {}
  })
}

/**
 * Takes effect at once: the new owner has already accepted an invitation, and confirming again would leave the
 * publication without a clear owner in between.
 * @throws AppError not_found; validation_failed for yourself, another owner, or someone who can't sign
 * in
 */
export async function transferOwnership(
  deps: StaffDeps,
  caller: Caller,
  { userId, ownRole }: { userId: string; ownRole: StaffRole },
) {
  return changeStaff(deps, caller, async (tx, now) => {
    const person = await findStaff(tx, userId)
    const isDisabled = person.bannedUntil !== null && person.bannedUntil > now
    if (person.role === 'owner' || person.isSuspended || isDisabled) {
      throw new AppError('validation_failed', { message: 'Choose someone active on the staff who isn’t an owner yet' })
    }
    await giveStaffRole(tx, userId, 'owner')
    await giveStaffRole(tx, caller.userId, ownRole)
    const changes = [
      { field: 'role', before: person.role, after: 'owner' },
      { field: 'roleOfFormerOwner', before: 'owner', after: ownRole },
    ]
    await record(tx, caller, 'ownership_transferred', person, changes, now)
    await notify(deps, tx, caller, person, { change: 'role', role: 'owner' })
    await tellOwners(deps, tx, caller, person, now)
    return {}
  })
}

type Person = { userId: string; email: string; role: StaffRole; isSuspended: boolean; bannedUntil: Date | null }

/** @throws AppError not_found for people who aren't on the staff */
async function findStaff(tx: Tx, userId: string): Promise<Person> {
  const [user] = await tx
    .select({ email: users.email, bannedUntil: users.bannedUntil })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  const position = user && (await readStaffPosition(tx, userId))
  if (!position) throw new AppError('not_found')
  return { userId, email: user.email ?? '', bannedUntil: user.bannedUntil, ...position }
}

const record = (
  tx: Tx,
  who: Caller,
  event: AdminEvent,
  { userId, email }: Person,
  changes: readonly Change[],
  now: Date,
) => recordAdminEvent(tx, who, { event, about: { userId, email }, changes, now })

async function notify(
  { config, enqueue }: StaffDeps,
  tx: Tx,
  who: Caller,
  { userId, email }: Person,
  { change, role }: Pick<Parameters<typeof staffAccessChangedEmail>[0], 'change' | 'role'>,
): Promise<void> {
  if (!email || userId === who.userId) return
  await enqueue(tx, emailJob, staffAccessChangedEmail({ to: email, change, role, by: who.email, config }))
}

/** A new owner can do everything, so all other owners hear about it. */
async function tellOwners(
  { config, enqueue }: StaffDeps,
  tx: Tx,
  who: Caller,
  { email }: Person,
  now: Date,
): Promise<void> {
  const owners = (await listAdminEmails(tx, now)).filter((to) => to !== email && to !== who.email)
  for (const to of owners) {
    await enqueue(tx, emailJob, newStaffEmail({ to, email, role: 'owner', by: who.email, config }))
  }
}
