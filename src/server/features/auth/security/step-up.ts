import { sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError, type ErrorCode } from '#shared/errors.ts'

/** Methods that prove a second factor, or as much as one: a passkey is a device and its owner's finger or number. */
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
  proofs: { method: string; at: string }[] | null
}

/**
 * How freshly this session has shown who is in front of it. Signing in counts, a refresh does not, and for an account
 * with a second factor only that one does.
 */
export async function readStepUp(deps: StepUpDeps, who: Pick<Principal, 'userId' | 'sessionId'>): Promise<StepUp> {
  const [row] = await deps.database.prepared<StepUpRow>(
    'auth-step-up',
    `select exists (select 1 from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as has_factor,
        coalesce(u.encrypted_password, '') <> '' as has_password,
        exists (select 1 from auth.webauthn_credentials w where w.user_id = u.id) as has_passkey,
        (select json_agg(json_build_object('method', a.authentication_method, 'at', a.updated_at))
          from auth.mfa_amr_claims a where a.session_id = $2::uuid) as proofs
      from auth.users u where u.id = $1::uuid`,
    [who.userId, who.sessionId],
  )
  const hasFactor = row?.has_factor ?? false
  const times = (row?.proofs ?? [])
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
 * Before anything that would let a borrowed or stolen session settle in. The wire protocol has its own word for it.
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

/** Whether this session satisfies an operator who wants a second factor of admins. */
export async function hasAdminSecondFactor({ config, database }: StepUpDeps, who: Principal): Promise<boolean> {
  if (!config.auth.requireAdminMfa || who.aal === 'aal2') return true
  const rows = await database.prepared(
    'auth-passkey-proof',
    `select 1 from auth.mfa_amr_claims a where a.session_id = $1::uuid and a.authentication_method = 'passkey'`,
    [who.sessionId],
  )
  return rows.length > 0
}

/** @throws AppError mfa_setup_required */
export async function requireAdminSecondFactor(deps: StepUpDeps, who: Principal): Promise<void> {
  if (!(await hasAdminSecondFactor(deps, who))) throw new AppError('mfa_setup_required')
}

/** Notes a proof of identity that this session has just given. */
export const amrClaimStatement = (sessionId: string, method: string, now: Date) => sql`
  insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
  values (gen_random_uuid(), ${sessionId}::uuid, ${method}, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz)
  on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at, created_at = excluded.created_at`
