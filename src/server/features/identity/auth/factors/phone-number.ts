import { AppError } from '#shared/errors.ts'

/**
 * Normalizes a phone number to E.164 without the plus, as it is stored. Ignores spaces.
 * @throws AppError validation_failed
 */
export function requirePhone(given: string | null | undefined): string {
  const digits = (given ?? '').replace(/\s/g, '').replace(/^\+/, '')
  if (!/^[1-9]\d{1,14}$/.test(digits)) {
    throw new AppError('validation_failed', { message: 'Invalid phone number format (E.164 required)' })
  }
  return digits
}
