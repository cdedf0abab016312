import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { readStepUp } from './step-up.ts'

/**
 * Before factors and passkeys change: a second factor guards them once there is one, and a session that has not shown
 * for a while who is in front of it changes nothing.
 * @throws AppError insufficient_aal as the call puts it, reauthentication_needed
 */
export async function requireMfaStepUp(
  deps: Pick<AuthDeps, 'config' | 'database' | 'clock'>,
  who: Principal,
  insufficientAal: { status?: number; message: string },
): Promise<void> {
  const { hasFactor, validUntil } = await readStepUp(deps, who)
  if (hasFactor && who.aal === 'aal1') throw new AppError('insufficient_aal', insufficientAal)
  if (!validUntil) throw new AppError('reauthentication_needed')
}
