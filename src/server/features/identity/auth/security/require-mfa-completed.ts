import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Refuses sessions that still have to verify a second factor.
 * @throws AppError insufficient_aal
 */
export function requireMfaCompleted(who: Pick<Principal, 'awaitsSecondFactor'>, status = 403): void {
  if (who.awaitsSecondFactor) throw new AppError('insufficient_aal', { status, message: 'AAL2 session is required' })
}
