import type { Deps } from '#server/deps.ts'
import type { ReadPrincipal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'

export function createReadPrincipal(_deps: Deps): ReadPrincipal {
  return async () => {
    throw new AppError('no_authorization')
  }
}
