import type { Deps } from '#server/deps.ts'
import type { PasswordHasher } from '#server/features/auth/passwords/password-hasher.ts'
import type { CallRequest } from '#server/http/functions.ts'
import type { Principal } from '#server/http/principal.ts'

export type AccountDeps = Deps & { hasher: PasswordHasher }

/** Who asks, and from where: what a call that leaves a line in the audit log needs. */
export type Asking = { who: Principal; request: Pick<CallRequest, 'clientAddress' | 'userAgent'> }
