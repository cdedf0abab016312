import type { Deps, FeatureDeps } from '#server/feature.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import type { IpRateLimits } from './limits/ip-rate-limits.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'

export type AuthDeps = Pick<Deps, 'config' | 'database' | 'logger' | 'clock' | 'secrets' | 'enqueue'> &
  Pick<FeatureDeps, 'onProfileReset' | 'onVisitorKnown'> & {
    readPrincipal: ReadPrincipal
    hasher: PasswordHasher
    limits: IpRateLimits
  }
