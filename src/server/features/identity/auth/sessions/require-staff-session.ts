import { and, eq, inArray } from 'drizzle-orm'
import { sessions, userRoles, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type StaffRole, storedRole } from '#shared/domain/staff-roles.ts'
import { AppError } from '#shared/errors.ts'
import { requireLiveSession } from './session-row.ts'

/**
 * For links that work without a bearer token. Checks what a token would require: session, expiry, ban, second factor and
 * role.
 * @throws AppError link_expired
 */
export async function requireStaffSession(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  sessionId: string,
  roles: readonly StaffRole[],
): Promise<void> {
  const [found] = await database.db
    .select({
      session_id: sessions.id,
      not_after: sessions.notAfter,
      banned_until: users.bannedUntil,
      deleted_at: users.deletedAt,
      awaitsSecondFactor: sessions.awaitsSecondFactor,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(userRoles, and(eq(userRoles.userId, sessions.userId), inArray(userRoles.role, roles.map(storedRole))))
    .where(eq(sessions.id, sessionId))
  try {
    if (requireLiveSession(found, clock()).awaitsSecondFactor) throw new AppError('mfa_required')
  } catch (cause) {
    throw new AppError('link_expired', { cause })
  }
}

/** A long download asks this between its parts. */
export async function isStaffSession(...args: Parameters<typeof requireStaffSession>): Promise<boolean> {
  try {
    await requireStaffSession(...args)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
