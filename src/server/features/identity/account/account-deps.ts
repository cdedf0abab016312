import type { Deps } from '#server/deps.ts'
import type { PasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'

export type AccountDeps = Deps & { hasher: PasswordHasher }
