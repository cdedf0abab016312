import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import type { IpRateLimits } from './limits/ip-rate-limits.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'

/** Deletes the profile of an account whose address turned out to belong to someone else. Wired by the composition root. */
export type ResetProfile = (tx: Tx, userId: string) => Promise<void>

export type AuthDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue'> & {
  readPrincipal: ReadPrincipal
  hasher: PasswordHasher
  limits: IpRateLimits
  resetProfile: ResetProfile
}
