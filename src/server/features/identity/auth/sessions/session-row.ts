import type { Database } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'

type Instant = Date | string | null

/** A user with the columns that the API returns. */
export type UserRow = {
  id: string
  email: string | null
  phone: string | null
  is_anonymous: boolean
  email_confirmed_at: Instant
  phone_confirmed_at: Instant
  confirmed_at: Instant
  confirmation_sent_at: Instant
  recovery_sent_at: Instant
  email_change_sent_at: Instant
  phone_change_sent_at: Instant
  reauthentication_sent_at: Instant
  invited_at: Instant
  email_change: string | null
  phone_change: string | null
  last_sign_in_at: Instant
  app_metadata: Record<string, unknown> | null
  user_metadata: Record<string, unknown> | null
  created_at: Instant
  updated_at: Instant
  banned_until: Instant
  deleted_at: Instant
  identities: IdentityRow[] | null
  factors: FactorRow[] | null
}

export type IdentityRow = {
  identity_id: string
  id: string
  user_id: string
  provider: string
  identity_data: Record<string, unknown>
  email: string | null
  last_sign_in_at: string | null
  created_at: string | null
  updated_at: string | null
}

export type FactorRow = {
  id: string
  factor_type: 'totp' | 'phone' | 'webauthn'
  status: 'unverified' | 'verified'
  friendly_name: string | null
  phone: string | null
  created_at: string
  updated_at: string
  last_challenged_at: string | null
}

export type SessionRow = UserRow & {
  /** Null if the user exists but the session doesn't. */
  session_id: string | null
  aal: 'aal1' | 'aal2' | 'aal3' | null
  not_after: Instant
  amr: { method: string; timestamp: number }[]
}

/**
 * The assurance level of a token: the lower of the session's and its own. A token from before the upgrade doesn't gain aal2,
 * as it may have been copied; it still awaits the second factor.
 */
export function assuranceLevelOf(
  row: Pick<SessionRow, 'aal'> & { awaits_second_factor: boolean },
  token: { aal: 'aal1' | 'aal2' },
): { aal: 'aal1' | 'aal2'; awaitsSecondFactor: boolean } {
  if (row.aal === 'aal1') return { aal: 'aal1', awaitsSecondFactor: row.awaits_second_factor }
  if (token.aal === 'aal1') return { aal: 'aal1', awaitsSecondFactor: true }
  return { aal: 'aal2', awaitsSecondFactor: row.awaits_second_factor }
}

export type SessionFacts = Pick<SessionRow, 'session_id' | 'not_after' | 'banned_until' | 'deleted_at'>

/** Columns of a user in the API, with identities and factors as JSON. */
export const userColumns = `
  u.id, u.email, u.phone, u.is_anonymous, u.email_confirmed_at, u.phone_confirmed_at, u.confirmed_at,
  u.confirmation_sent_at, u.recovery_sent_at, u.email_change_sent_at, u.phone_change_sent_at, u.reauthentication_sent_at,
  u.invited_at, u.email_change, u.phone_change, u.last_sign_in_at,
  u.raw_app_meta_data as app_metadata, u.raw_user_meta_data as user_metadata, u.created_at, u.updated_at,
  u.banned_until, u.deleted_at,
  (select json_agg(json_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
      'provider', i.provider, 'identity_data', i.identity_data, 'email', i.email,
      'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at, 'updated_at', i.updated_at)
      order by i.created_at) from auth.identities i where i.user_id = u.id) as identities,
  (select json_agg(json_build_object('id', f.id, 'factor_type', f.factor_type, 'status', f.status,
      'friendly_name', f.friendly_name, 'phone', f.phone, 'created_at', f.created_at, 'updated_at', f.updated_at,
      'last_challenged_at', f.last_challenged_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id) as factors`

/** Columns of a session `s`. `amr` is sorted newest first. */
export const sessionColumns = `
  s.id as session_id, s.aal, s.not_after,
  coalesce((select json_agg(json_build_object('method', a.authentication_method,
      'timestamp', floor(extract(epoch from a.created_at))::bigint) order by a.created_at desc)
      from auth.mfa_amr_claims a where a.session_id = s.id), '[]'::json) as amr`

const userAndSession = `select ${userColumns}, ${sessionColumns}
  from auth.users u left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id where u.id = $1::uuid`

// One JSON value, because column parsing in the driver costs more than the read.
const userWithSession = `select row_to_json(found)::text as row from (
    select ${userColumns}, s.id as session_id, s.not_after
    from auth.users u left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id where u.id = $1::uuid) found`

/** Hot path of GET /user: the user, and the session's state only. */
export async function findUserWithSession(database: Database, userId: string, sessionId: string) {
  const [found] = await database.read<{ row: string }>('auth-user-with-session', userWithSession, [userId, sessionId])
  return found ? (JSON.parse(found.row) as UserRow & Pick<SessionRow, 'session_id' | 'not_after'>) : null
}

/** The user with one of their sessions; null if the user doesn't exist. */
export async function findSession(database: Database, userId: string, sessionId: string): Promise<SessionRow | null> {
  const [row] = await database.prepared<SessionRow>('auth-user-and-session', userAndSession, [userId, sessionId])
  return row ?? null
}

/** Input of `requireLiveSession` as one column for other statements. `$1` is the user, `$2` the session. */
export const sessionFacts = `(select json_build_object('session_id', s.id, 'aal', s.aal, 'not_after', s.not_after,
    'awaits_second_factor', s.awaits_second_factor, 'banned_until', u.banned_until, 'deleted_at', u.deleted_at)::text
  from auth.users u left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id where u.id = $1::uuid)`

/** Checks user, session and ban, in the protocol's order. */
export function requireLiveSession<Row extends SessionFacts>(row: Row | null | undefined, now: Date): Row {
  if (!row || row.deleted_at) throw new AppError('user_not_found')
  if (!row.session_id || isPast(row.not_after, now)) throw new AppError('session_not_found')
  if (isBanned(row, now)) throw new AppError('user_banned')
  return row
}

export const isBanned = (row: { banned_until: Instant }, now: Date) =>
  row.banned_until !== null && new Date(row.banned_until) > now

const isPast = (instant: Instant, now: Date) => instant !== null && new Date(instant) <= now

/** The user without a session. */
export async function findUser(database: Database, userId: string): Promise<UserRow | null> {
  const [row] = await database.prepared<UserRow>(
    'auth-user',
    `select ${userColumns} from auth.users u where u.id = $1::uuid`,
    [userId],
  )
  return row ?? null
}
