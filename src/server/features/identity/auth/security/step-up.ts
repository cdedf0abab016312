import { sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'

/** Methods that count as a second factor. A passkey does, since it verifies the user. */
const secondFactorMethods: ReadonlySet<string> = new Set([
  'totp',
  'mfa/phone',
  'mfa/webauthn',
  'mfa/backup_code',
  'passkey',
])

export type StepUp = { validUntil: Date | null; hasFactor: boolean; hasPassword: boolean; hasPasskey: boolean }

type StepUpDeps = { config: Config; database: Database; clock: () => Date }
type StepUpRow = {
  has_factor: boolean
  has_password: boolean
  has_passkey: boolean
  authentications: { method: string; at: string }[] | null
}

/**
 * When this session last authenticated. Signing in counts, refreshing doesn't. For an account with a second factor, only
 * that counts.
 */
export async function readStepUp(deps: StepUpDeps, who: Pick<Principal, 'userId' | 'sessionId'>): Promise<StepUp> {
  const [row] = await deps.database.prepared<StepUpRow>(
    'auth-step-up',
    `select exists (select 1 from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as has_factor,
        coalesce(u.encrypted_password, '') <> '' as has_password,
        exists (select 1 from auth.webauthn_credentials w where w.user_id = u.id) as has_passkey,
        (select json_agg(json_build_object('method', a.authentication_method, 'at', a.updated_at))
          from auth.mfa_amr_claims a where a.session_id = $2::uuid) as authentications
      from auth.users u where u.id = $1::uuid`,
    [who.userId, who.sessionId],
  )
  const hasFactor = row?.has_factor ?? false
  const times = (row?.authentications ?? [])
    .filter(({ method }) => method !== 'anonymous' && (!hasFactor || secondFactorMethods.has(method)))
    .map(({ at }) => new Date(at).getTime())
  const until = Math.max(...times) + deps.config.auth.stepUpSeconds * 1000
  return {
    validUntil: until > deps.clock().getTime() ? new Date(until) : null,
    hasFactor,
    hasPassword: row?.has_password ?? false,
    hasPasskey: row?.has_passkey ?? false,
  }
}

/**
 * Guards sensitive settings: the session must have authenticated recently.
 * @throws AppError step_up_required (functions), reauthentication_needed (`/auth/v1`)
 */
export async function requireStepUp(
  deps: StepUpDeps,
  who: Pick<Principal, 'userId' | 'sessionId'>,
  code: Extract<ErrorCode, 'step_up_required' | 'reauthentication_needed'> = 'step_up_required',
): Promise<void> {
  const { validUntil } = await readStepUp(deps, who)
  if (!validUntil) throw new AppError(code)
}

/**
 * Guards changes to factors and passkeys: the session needs a recent sign-in, and aal2 if the account has a factor.
 * @throws AppError insufficient_aal with the caller's status and message, reauthentication_needed
 */
export async function requireMfaStepUp(
  deps: StepUpDeps,
  who: Principal,
  insufficientAal: { status?: number; message: string },
): Promise<void> {
  const { hasFactor, validUntil } = await readStepUp(deps, who)
  if (hasFactor && who.aal === 'aal1') throw new AppError('insufficient_aal', insufficientAal)
  if (!validUntil) throw new AppError('reauthentication_needed')
}

/** Returns true if this session, or the trust in its device, has the second factor that the configuration requires of admins. */
export async function hasAdminSecondFactor({ config, database }: StepUpDeps, who: Principal): Promise<boolean> {
  if (!config.auth.requireAdminMfa || who.aal === 'aal2') return true
  const rows = await database.prepared(
    'auth-admin-second-factor',
    `select 1 from auth.mfa_amr_claims a where a.session_id = $1::uuid and a.authentication_method = 'passkey'
      union all select 1 from auth.sessions s where s.id = $1::uuid and s.trusted_device_id is not null`,
    [who.sessionId],
  )
  return rows.length > 0
}

/** @throws AppError mfa_setup_required */
export async function requireAdminSecondFactor(deps: StepUpDeps, who: Principal): Promise<void> {
  if (!(await hasAdminSecondFactor(deps, who))) throw new AppError('mfa_setup_required')
}

/** Records an authentication method of a session, or renews its time. */
export const amrClaimStatement = (sessionId: string, method: string, now: Date) => sql`
  insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), ${sessionId}::uuid, ${method}, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at, created_at = excluded.created_at`
