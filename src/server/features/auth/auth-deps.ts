import type { Tx } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import type { IpRateLimits } from './limits/ip-rate-limits.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'

/** Removes what the product was told by an account that turns out to be someone else's. Joined by the composition root. */
export type ResetProfile = (tx: Tx, userId: string) => Promise<void>

/** What the functions of this feature take; each names the part that it uses. */
export type AuthDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue'> & {
  readPrincipal: ReadPrincipal
  hasher: PasswordHasher
  limits: IpRateLimits
  resetProfile: ResetProfile
}
