import { and, eq, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { userRoles, users } from '#server/db/schema/index.ts'
import { type StaffRole, storedRole } from '#shared/domain/staff-roles.ts'

/** Confirmed addresses of active staff with one of these roles, for operational alerts. */
export async function listAdminEmails(
  db: Db | Tx,
  now: Date,
  roles: readonly StaffRole[] = ['owner'],
): Promise<string[]> {
  const admins = await db
    .select({ email: users.email })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(
      and(
        inArray(userRoles.role, roles.map(storedRole)),
        isNotNull(users.emailConfirmedAt),
        isNull(users.deletedAt),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, now)),
      ),
    )
    .orderBy(users.email)
  return admins.flatMap(({ email }) => email || [])
}
