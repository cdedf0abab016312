import type { Bearer, SessionCheck } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { restErrors } from './rest-error.ts'

/**
 * The verified bearer, or null without one. Clients also send their publishable key as the bearer, so only values that
 * look like a JWT are verified.
 * @throws RestError PGRST301 or PGRST303
 */
export async function readBearer(check: SessionCheck, authorization: string | undefined) {
  if (!/^bearer\s+[^\s.]+\.[^\s.]*\.[^\s.]*\s*$/i.test(authorization ?? '')) return null
  return check.readBearer(authorization).catch(refuse)
}

/**
 * Checks the session that was read together with the rows.
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
