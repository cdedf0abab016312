import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { mfaFactors, userRoles, users, webauthnCredentials } from '#server/db/schema/index.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import type { Deps } from '#server/feature.ts'
import { hasVerifiedEmail, readAdminAddress } from '#server/features/identity/auth/email-flows/unverified-access.ts'
import { decideVerificationOutcome } from '#server/features/identity/auth/email-flows/verification-outcome.ts'
import { notifySecurityChange } from '#server/features/identity/auth/security/security-event.ts'
import {
  giveStaffRole,
  hasOtherOwner,
  lockOwners,
  readStaffPosition,
  removeStaffRole,
} from '#server/features/identity/auth/users/staff-roles.ts'
import { endInvalidViews } from '#server/features/identity/view-as/view-as.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import type { StaffRole } from '#shared/domain/staff-roles.ts'

export type AdminDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>
type UserRow = typeof users.$inferSelect

/**
 * Grants the admin role. An unconfirmed address may belong to someone else, so that needs `evenUnconfirmed`.
 * @returns false if the account is already an admin
 * @throws OperatorError
 */
export async function grantAdmin(
  deps: AdminDeps,
  given: string,
  { evenUnconfirmed }: { evenUnconfirmed: boolean },
): Promise<boolean> {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const user = await findAccount(tx, given)
    if (isDisabled(user, now)) {
      throw new OperatorError(`The account ${user.email} is disabled. Enable it before you make it an admin.`)
    }
    if (!user.emailConfirmedAt && !evenUnconfirmed) {
      throw new OperatorError(
        `The address ${user.email} isn’t confirmed, so the account could belong to someone else. Ask them to confirm it first, or add --even-unconfirmed.`,
      )
    }
    const before = await readStaffPosition(tx, user.id)
    if (before?.role === 'owner' && !before.isSuspended) return false
    await giveStaffRole(tx, user.id, 'owner')
    await endInvalidViews(tx, now)
    await recordAndNotify(tx, deps, 'admin_granted', { user, before: before?.role ?? null, after: 'owner' }, now)
    return true
  })
}

/**
 * Revokes the admin role from the next call on. Refuses for the last admin unless `force` is set.
 * @returns false if the account isn't an admin
 * @throws OperatorError
 */
export async function revokeAdmin(deps: AdminDeps, given: string, { force }: { force: boolean }): Promise<boolean> {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const user = await findAccount(tx, given)
    const position = await readStaffPosition(tx, user.id)
    if (position?.role !== 'owner') return false
    if (!force && !position.isSuspended && !(await hasOtherOwner(tx, user.id, now))) {
      throw new OperatorError(
        `${user.email} is the last admin, so no one could open the admin pages. Add another admin first, or use --force.`,
      )
    }
    await removeStaffRole(tx, user.id)
    await endInvalidViews(tx, now)
    await recordAndNotify(tx, deps, 'admin_revoked', { user, before: 'owner', after: null }, now)
    return true
  })
}

/** Returns true if confirming the next email restores the role because the address is in ADMIN_EMAILS. */
export async function isRestoredByAdminEmails({ config, database }: AdminDeps, given: string): Promise<boolean> {
  const email = normalizeEmail(given)
  return database.db.transaction(async (tx) => {
    const user = await findAccount(tx, email)
    const isEmailVerified = await hasVerifiedEmail(tx, config, user)
    const { makesAdmin } = decideVerificationOutcome({
      isEmailVerified,
      createdByAdmin: user.createdByAdmin,
      isRecovery: true,
      bringsCredentials: false,
      isSamePerson: false,
      choice: null,
      adminAddress: await readAdminAddress(tx, config, { userId: user.id, email }),
    })
    return makesAdmin
  })
}

async function findAccount(tx: Tx, given: string): Promise<UserRow> {
  const email = normalizeEmail(given)
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.email, email), isNull(users.deletedAt)))
    .for('update')
  if (!user) throw new OperatorError(`There is no account with the address ${email}. Ask them to sign up first.`)
  return user
}

const isDisabled = ({ bannedUntil }: Pick<UserRow, 'bannedUntil'>, now: Date) =>
  bannedUntil !== null && bannedUntil > now

type RoleChange = { user: UserRow; before: StaffRole | null; after: StaffRole | null }

const recordAndNotify = (
  tx: Tx,
  deps: AdminDeps,
  event: 'admin_granted' | 'admin_revoked',
  { user, before, after }: RoleChange,
  now: Date,
) =>
  notifySecurityChange(tx, deps, {
    event,
    userId: user.id,
    email: user.email ?? '',
    by: 'operator',
    changes: [{ field: 'role', before, after }],
    now,
  })

export type Admin = {
  email: string
  confirmed: boolean
  disabled: boolean
  secondStep: boolean
  lastSignInAt: Date | null
}

/** All admins, sorted by email address. */
export async function listAdmins({ database: { db }, clock }: Pick<AdminDeps, 'database' | 'clock'>): Promise<Admin[]> {
  const now = clock()
  const rows = await db
    .select({
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      bannedUntil: users.bannedUntil,
      lastSignInAt: users.lastSignInAt,
      factorId: mfaFactors.id,
      passkeyId: webauthnCredentials.id,
    })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .leftJoin(mfaFactors, and(eq(mfaFactors.userId, users.id), eq(mfaFactors.status, 'verified')))
    .leftJoin(webauthnCredentials, eq(webauthnCredentials.userId, users.id))
    .where(and(eq(userRoles.role, 'admin'), isNull(users.deletedAt)))
    .orderBy(asc(users.email))
  const byEmail = new Map<string, Admin>()
  for (const row of rows) {
    byEmail.set(row.email ?? '', {
      email: row.email ?? '',
      confirmed: row.emailConfirmedAt !== null,
      disabled: isDisabled(row, now),
      secondStep: row.factorId !== null || row.passkeyId !== null,
      lastSignInAt: row.lastSignInAt,
    })
  }
  return [...byEmail.values()]
}
