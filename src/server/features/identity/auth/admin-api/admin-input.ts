import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, isUuid } from '../auth-deps.ts'
import { requireGoodPassword } from '../passwords/password-policy.ts'
import { readStoredHash } from '../passwords/stored-hash.ts'
import { userDataField } from '../users/user-metadata.ts'

export const adminUserInput = z.object({
  id: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  password_hash: z.string().max(255, 'password_hash is too long').nullish(),
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: userDataField,
  app_metadata: userDataField,
  role: z.string().nullish(),
  ban_duration: z.string().max(100, 'invalid format for ban duration').nullish(),
})
export type AdminUserInput = z.output<typeof adminUserInput>

/** @throws AppError validation_failed (404), as clients expect for a malformed id */
export function requireId(given: string, what: string): string {
  if (!isUuid(given)) throw new AppError('validation_failed', { status: 404, message: `${what} must be an UUID` })
  return given.toLowerCase()
}

/** All tokens have the role `authenticated`; permissions are stored elsewhere. */
export function requireSupportedRole({ role }: AdminUserInput): void {
  if (role && role !== 'authenticated') {
    throw new AppError('validation_failed', { message: 'The only role of a user is authenticated' })
  }
}

/**
 * Hashes the given password, or accepts an imported hash.
 * @returns null if neither is given
 * @throws AppError validation_failed, weak_password
 */
export async function readPasswordHash(deps: AuthDeps, input: AdminUserInput, email: string): Promise<string | null> {
  const { password, password_hash: hash } = input
  if (password && hash) {
    throw new AppError('validation_failed', {
      message: 'Only a password or a password hash should be provided',
    })
  }
  if (hash) {
    if (!readStoredHash(hash)) {
      throw new AppError('validation_failed', { message: 'invalid password hash: expected bcrypt or argon2' })
    }
    return hash
  }
  if (!password) return null
  requireGoodPassword(deps.config, password, email)
  return deps.hasher.hash(password)
}
