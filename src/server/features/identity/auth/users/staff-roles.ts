import { and, asc, eq, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { staffInvitations, suspendedStaff, userRoles, users } from '#server/db/schema/index.ts'
import { parseStoredRole, type StaffRole, storedRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import { endConnections } from '../oauth/end-connections.ts'

export type StaffPosition = { role: StaffRole; isSuspended: boolean }

/** Null for people who aren't on the staff. */
export async function readStaffPosition(db: Db | Tx, userId: string): Promise<StaffPosition | null> {
  const [active] = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId))
  const role = parseStoredRole(active?.role)
  if (role) return { role, isSuspended: false }
  const [suspended] = await db
    .select({ role: suspendedStaff.role })
    .from(suspendedStaff)
    .where(eq(suspendedStaff.userId, userId))
  const kept = parseStoredRole(suspended?.role)
  return kept && { role: kept, isSuspended: true }
}

/** Returns true if an account is on the staff, suspended or not. */
export const isStaffSql = (userId: SQL): SQL => sql`(exists (select 1 from user_roles r where r.user_id = ${userId})
  or exists (select 1 from suspended_staff s where s.user_id = ${userId}))`

/**
 * The role that someone may act with now; null if it is suspended or the account is disabled or deleted. For work that
 * continues without its session.
 */
export async function readActiveRole(db: Db | Tx, userId: string, now: Date): Promise<StaffRole | null> {
  const [active] = await db
    .select({ role: userRoles.role })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(and(eq(userRoles.userId, userId), canSignIn(now)))
  return parseStoredRole(active?.role)
}

/** Returns true if an account is neither deleted nor disabled. */
const canSignIn = (now: Date) =>
  and(isNull(users.deletedAt), or(isNull(users.bannedUntil), lte(users.bannedUntil, now)))

/** Invitations of someone who is no longer an owner can't be accepted. They are deleted, so that they don't return with the role. */
export async function revokeStaffInvitationsBy(tx: Tx, userId: string): Promise<void> {
  await tx.delete(staffInvitations).where(eq(staffInvitations.invitedById, userId))
}

/** Gives a role, also to someone who has another one or is suspended. */
export async function giveStaffRole(tx: Tx, userId: string, role: StaffRole): Promise<void> {
  await tx.delete(suspendedStaff).where(eq(suspendedStaff.userId, userId))
  const stored = storedRole(role)
  await tx
    .insert(userRoles)
    .values({ userId, role: stored })
    .onConflictDoUpdate({ target: userRoles.userId, set: { role: stored } })
  if (role !== 'owner') await revokeStaffInvitationsBy(tx, userId)
}

/** Suspends a role, which `giveStaffRole` brings back. */
export async function suspendStaffRole(tx: Tx, userId: string, role: StaffRole, now: Date): Promise<void> {
  await tx.delete(userRoles).where(eq(userRoles.userId, userId))
  await tx.insert(suspendedStaff).values({ userId, role: storedRole(role), suspendedAt: now })
  await revokeStaffInvitationsBy(tx, userId)
  await endConnections(tx, userId)
}

/** Removes someone from the staff, whether suspended or not. */
export async function removeStaffRole(tx: Tx, userId: string): Promise<void> {
  await tx.delete(userRoles).where(eq(userRoles.userId, userId))
  await tx.delete(suspendedStaff).where(eq(suspendedStaff.userId, userId))
  await revokeStaffInvitationsBy(tx, userId)
  await endConnections(tx, userId)
}

/** Locks the roles of all owners, so that concurrent changes can't remove the last two. Take it before other locks. */
export async function lockOwners(tx: Tx): Promise<void> {
  await tx
    .select({ userId: userRoles.userId })
    .from(userRoles)
    .where(eq(userRoles.role, storedRole('owner')))
    .orderBy(asc(userRoles.userId))
    .for('update')
}

/** Returns true if another owner can sign in. Call `lockOwners` first. */
export async function hasOtherOwner(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const others = await tx
    .select({ id: users.id })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(and(eq(userRoles.role, storedRole('owner')), ne(users.id, userId), canSignIn(now)))
    .limit(1)
  return others.length > 0
}

/**
 * Call it before taking an owner's access, in the same transaction: there is always an owner who can sign in.
 * @throws AppError last_owner
 */
export async function requireOtherOwner(tx: Tx, userId: string, now: Date): Promise<void> {
  const isOwner = async () => {
    const position = await readStaffPosition(tx, userId)
    return position?.role === 'owner' && !position.isSuspended
  }
  if (!(await isOwner())) return
  await lockOwners(tx)
  if (!(await isOwner())) return
  if (!(await hasOtherOwner(tx, userId, now))) throw new AppError('last_owner')
}
