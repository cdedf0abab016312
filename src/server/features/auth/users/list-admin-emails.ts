import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { userRoles, users } from '#server/db/schema/index.ts'

/** Confirmed addresses of all active admins, for operational alerts. */
export async function listAdminEmails(db: Db | Tx, now: Date): Promise<string[]> {
  const admins = await db
    .select({ email: users.email })
    .from(userRoles)
    .innerJoin(users, eq(users.id, userRoles.userId))
    .where(
      and(
        eq(userRoles.role, 'admin'),
        isNotNull(users.emailConfirmedAt),
        isNull(users.deletedAt),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, now)),
      ),
    )
    .orderBy(users.email)
  return admins.flatMap(({ email }) => email || [])
}
