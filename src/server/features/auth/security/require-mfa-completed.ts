import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/**
 * A session that still owes its second factor shows it, looks at its user or ends itself, and does nothing else.
 * @throws AppError insufficient_aal
 */
export function requireMfaCompleted(who: Pick<Principal, 'awaitsSecondFactor'>, status = 403): void {
  if (who.awaitsSecondFactor) throw new AppError('insufficient_aal', { status, message: 'AAL2 session is required' })
}
