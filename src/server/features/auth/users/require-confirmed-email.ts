import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Before an account gets a second step or a passkey. Recovery empties an account whose address nobody has proven, so
 * what guards it must not be set up before: it would be gone without its owner having shown it.
 * @throws AppError email_not_confirmed
 */
export function requireConfirmedEmail(who: Pick<Principal, 'emailConfirmed'>): void {
  if (!who.emailConfirmed) throw new AppError('email_not_confirmed', { status: 403 })
}
