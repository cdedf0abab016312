import type { Bearer, SessionCheck } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { restErrors } from './rest-error.ts'

/**
 * Who is asking, or null for nobody. Clients put their publishable key behind `Bearer` too, so only what looks like a
 * token is checked.
 * @throws RestError PGRST301 or PGRST303
 */
export async function readBearer(check: SessionCheck, authorization: string | undefined) {
  if (!/^bearer\s+[^\s.]+\.[^\s.]*\.[^\s.]*\s*$/i.test(authorization ?? '')) return null
  return check.readBearer(authorization).catch(refuse)
}

/**
 * Whether the session that was read with the rows may be told of them.
 * @throws RestError PGRST301; AppError mfa_required
 */
export function requireSession(check: SessionCheck, session: string | null, bearer: Bearer) {
  let found: ReturnType<SessionCheck['requireLive']>
  try {
    found = check.requireLive(session, bearer)
  } catch (error) {
    refuse(error)
  }
  if (found.awaitsSecondFactor) throw new AppError('mfa_required')
}

function refuse(error: unknown): never {
  throw error instanceof AppError && error.status < 500 ? refusal(error) : error
}

const refusal = (error: AppError) =>
  error.code === 'bad_jwt' && /expired/i.test(error.message)
    ? restErrors.expiredToken()
    : restErrors.badToken(error.message)
