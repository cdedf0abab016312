import { z } from 'zod'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

/** Maximum length of an address in SMTP. */
const maxLength = 254
const address = z.email()

/**
 * @returns the normalized address
 * @throws AppError validation_failed with the protocol's texts
 */
export function requireEmail(given: string | null | undefined, status = 400): string {
  const email = normalizeEmail(given ?? '')
  if (email === '') throw new AppError('validation_failed', { status, message: 'An email address is required' })
  if (email.length > maxLength || !address.safeParse(email).success) {
    throw new AppError('validation_failed', { status, message: 'Unable to validate email address: invalid format' })
  }
  return email
}
