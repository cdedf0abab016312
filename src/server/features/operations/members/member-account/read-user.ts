import type { Deps } from '#server/feature.ts'
import type { AdminUserFacts } from '#shared/contracts/operations/member-account.ts'
import { AppError } from '#shared/errors.ts'

type Row = Omit<AdminUserFacts, 'createdAt' | 'lastSignInAt'> & {
  createdAt: Date | string
  lastSignInAt: Date | string | null
}

const statement = `select u.id, coalesce(u.email, '') as email, u.created_at as "createdAt",
    u.last_sign_in_at as "lastSignInAt",
    u.email_confirmed_at is not null as "emailConfirmed",
    exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin') as "isAdmin",
    coalesce(u.banned_until > $2::timestamptz, false) as disabled,
    (select coalesce(json_agg(f.factor_type order by f.created_at), '[]'::json) from auth.mfa_factors f
      where f.user_id = u.id and f.status = 'verified') as factors,
    (select count(*)::int from auth.webauthn_credentials w where w.user_id = u.id) as passkeys,
    (select count(*)::int from auth.sessions s
      where s.user_id = u.id and (s.not_after is null or s.not_after > $2::timestamptz)) as sessions
  from auth.users u where u.id = $1::uuid and u.deleted_at is null`

/** Facts for an account's page in the admin. @throws AppError not_found */
export async function readUser({ database, clock }: Pick<Deps, 'database' | 'clock'>, userId: string) {
  const [row] = await database.prepared<Row>('admin-user', statement, [userId, clock().toISOString()])
  if (!row) throw new AppError('not_found')
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    lastSignInAt: row.lastSignInAt && new Date(row.lastSignInAt).toISOString(),
  }
}
