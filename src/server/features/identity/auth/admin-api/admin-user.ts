import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { findUser } from '../sessions/session-row.ts'
import { toWireUser, type WireUser } from '../users/user-response.ts'

/** @throws AppError user_not_found (404) */
export async function requireUser({ database }: Pick<AuthDeps, 'database'>, userId: string): Promise<WireUser> {
  const row = await findUser(database, userId)
  if (!row) throw new AppError('user_not_found', { status: 404 })
  return toWireUser(row)
}
