import { AppError } from '#shared/errors.ts'

export const minPasswordLength = 6
/** Longer ones are refused rather than cut: other servers that read our hashes stop at 72 bytes. */
const maxPasswordBytes = 72

const tooShort = `Password should be at least ${minPasswordLength} characters.`

/** Why a password is weak; empty when it is not. Present for passwords set under older rules too. */
export const passwordWeakness = (password: string): string[] =>
  [...password].length < minPasswordLength ? ['length'] : []

export const weakPassword = (reasons: readonly string[]) => ({ message: tooShort, reasons: [...reasons] })

/** @throws AppError validation_failed, weak_password */
export function requireGoodPassword(password: string): void {
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw new AppError('validation_failed', { message: `Password cannot be longer than ${maxPasswordBytes} bytes` })
  }
  const reasons = passwordWeakness(password)
  if (reasons.length > 0)
    throw new AppError('weak_password', { message: tooShort, extra: { weak_password: { reasons } } })
}
