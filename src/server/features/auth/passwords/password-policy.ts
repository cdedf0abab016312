import type { Config } from '#server/config/config.ts'
import { contextWords } from '#shared/domain/context-words.ts'
import { passwordStrength } from '#shared/domain/password-strength.ts'
import { AppError } from '#shared/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

type PasswordPolicy = Config['auth']['password']
type Weakness = 'length' | 'characters' | 'pwned'

/** Longer ones are refused rather than cut: other servers that read our hashes stop at 72 bytes. */
const maxPasswordBytes = 72
/** Below it a password falls within hours to somebody who has stolen its hash. */
const minScore = 2

/**
 * Why a password is weak; empty when it is not. Present for passwords set under older rules too.
 * @param email of the account, so that a password made of it counts as weak
 */
export function passwordWeakness(policy: PasswordPolicy, password: string, email = ''): Weakness[] {
  const reasons: Weakness[] = []
  if ([...password].length < policy.minLength) reasons.push('length')
  if (!policy.refuseWeak) return reasons
  if (isCommonPassword(password)) reasons.push('pwned')
  else if (passwordStrength(password, [email, ...contextWords]).score < minScore) reasons.push('characters')
  return reasons
}

/** Body member of the protocol, beside a session or a refusal. */
export const weakPassword = (policy: PasswordPolicy, reasons: readonly Weakness[]) => ({
  message: reasons.map((reason) => texts[reason](policy)).join(' '),
  reasons: [...reasons],
})

const texts: Record<Weakness, (policy: PasswordPolicy) => string> = {
  length: ({ minLength }) => `Password should be at least ${minLength} characters.`,
  characters: () => 'Password is too easy to guess. Use a few unrelated words.',
  pwned: () => 'Password is known to be weak and easy to guess, please choose a different one.',
}

/** @throws AppError validation_failed, weak_password */
export function requireGoodPassword(policy: PasswordPolicy, password: string, email?: string): void {
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw new AppError('validation_failed', { message: `Password cannot be longer than ${maxPasswordBytes} bytes` })
  }
  const reasons = passwordWeakness(policy, password, email)
  if (reasons.length === 0) return
  const { message } = weakPassword(policy, reasons)
  throw new AppError('weak_password', { message, extra: { weak_password: { reasons } } })
}
