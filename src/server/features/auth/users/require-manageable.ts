import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { userRoles } from '#server/db/schema/index.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Keeps staff who manage members from managing other staff or themselves: only owners may.
 * @throws AppError staff_account
 */
export async function requireManageable(
  db: Db | Tx,
  { staffRole }: Pick<Principal, 'staffRole'>,
  userId: string,
): Promise<void> {
  if (staffRole === 'owner') return
  const roles = await db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.userId, userId))
  if (roles.length > 0) throw new AppError('staff_account')
}
