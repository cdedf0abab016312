import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Guards the setup of factors and passkeys: the first verification of an address would remove them.
 * @throws AppError email_not_confirmed
 */
export function requireConfirmedEmail(who: Pick<Principal, 'emailConfirmed'>): void {
  if (!who.emailConfirmed) throw new AppError('email_not_confirmed', { status: 403 })
}
