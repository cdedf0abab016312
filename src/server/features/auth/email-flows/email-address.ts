import { z } from 'zod'
import { AppError } from '#shared/errors.ts'

/** Width of the column; the longest address that mail can carry is 254. */
const maxLength = 254
const address = z.email()

/** How an address is stored and compared. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/**
 * @returns the address as it is stored
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
