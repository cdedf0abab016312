import { isEmailAddress, normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

/**
 * @returns the normalized address
 * @throws AppError validation_failed with the protocol's texts
 */
export function requireEmail(given: string | null | undefined, status = 400): string {
  const email = normalizeEmail(given ?? '')
  if (email === '') throw new AppError('validation_failed', { status, message: 'An email address is required' })
  if (!isEmailAddress(email)) {
    throw new AppError('validation_failed', { status, message: 'Unable to validate email address: invalid format' })
  }
  return email
}
