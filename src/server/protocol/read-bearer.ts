import type { ReadPrincipal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { restErrors } from './rest-error.ts'

/**
 * Who is asking, or null for nobody. Clients put their publishable key behind `Bearer` too, so only what looks like a
 * token is checked.
 * @throws RestError PGRST301 or PGRST303
 */
export async function readBearer(readPrincipal: ReadPrincipal, authorization: string | undefined) {
  if (!/^bearer\s+[^\s.]+\.[^\s.]*\.[^\s.]*\s*$/i.test(authorization ?? '')) return null
  try {
    return await readPrincipal(authorization)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw refusal(error)
    throw error
  }
}

const refusal = (error: AppError) =>
  error.code === 'bad_jwt' && /expired/i.test(error.message)
    ? restErrors.expiredToken()
    : restErrors.badToken(error.message)
