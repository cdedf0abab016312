import type { Config } from '#server/config/config.ts'
import { contextWords } from '#shared/domain/password-context-words.ts'
import { passwordStrength } from '#shared/domain/password-strength.ts'
import { AppError } from '#shared/errors.ts'
import { isLeakedPassword } from './leaked-passwords.ts'

type PasswordPolicy = Config['auth']['password']
type PolicyConfig = Pick<Config, 'auth' | 'settings'>
type Weakness = 'length' | 'characters' | 'pwned'

/** bcrypt, which other servers use, stops at 72 bytes. */
const maxPasswordBytes = 72
/** Lower scores could be cracked within hours if the hash leaked. */
const minScore = 2

/**
 * The reasons why a password is weak; empty if it isn't.
 * @param email a password based on it counts as weak
 */
export function passwordWeakness({ auth, settings }: PolicyConfig, password: string, email = ''): Weakness[] {
  const policy = auth.password
  const reasons: Weakness[] = []
  if ([...password].length < policy.minLength) reasons.push('length')
  if ((policy.refuseLeaked || policy.refuseWeak) && isLeakedPassword(password)) reasons.push('pwned')
  else if (
    policy.refuseWeak &&
    passwordStrength(password, [email, ...contextWords(settings.publication)]).score < minScore
  )
    reasons.push('characters')
  return reasons
}

/** The `weak_password` field of session and error responses. */
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
export function requireGoodPassword(config: PolicyConfig, password: string, email?: string): void {
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw new AppError('validation_failed', { message: `Password cannot be longer than ${maxPasswordBytes} bytes` })
  }
  const reasons = passwordWeakness(config, password, email)
  if (reasons.length === 0) return
  const { message } = weakPassword(config.auth.password, reasons)
  throw new AppError('weak_password', { message, extra: { weak_password: { reasons } } })
}
