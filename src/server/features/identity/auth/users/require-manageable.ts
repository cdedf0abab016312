import type { Db, Tx } from '#server/db/database.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { readStaffPosition } from './staff-roles.ts'

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
  if (await readStaffPosition(db, userId)) throw new AppError('staff_account')
}
