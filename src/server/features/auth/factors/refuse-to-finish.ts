import type { Tx } from '#server/db/database.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { hasVerifiedFactor } from '../sessions/upgrade-session.ts'
import type { FactorRow } from './factor-row.ts'

/**
 * Under the account's lock: a factor that was only begun raises nobody past one that counts, or whoever has the password
 * could begin one early and finish it instead of the owner's.
 */
export async function refuseUnverifiedFactor(tx: Tx, who: Principal, factor: FactorRow): Promise<AppError | null> {
  if (factor.status === 'verified' || who.aal === 'aal2') return null
  if (!who.awaitsSecondFactor && !(await hasVerifiedFactor(tx, who.userId))) return null
  return new AppError('insufficient_aal', { message: 'AAL2 required to set up another factor' })
}
