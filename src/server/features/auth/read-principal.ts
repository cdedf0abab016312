import type { Deps } from '#server/deps.ts'
import type { Principal, ReadPrincipal } from '#server/http/principal.ts'
import { createVerifyBearer } from './access-token.ts'
import { requireLiveSession, type SessionRow } from './session-row.ts'

type PrincipalRow = Pick<
  SessionRow,
  'id' | 'email' | 'session_id' | 'aal' | 'not_after' | 'banned_until' | 'deleted_at'
> & {
  email_confirmed: boolean
  is_anonymous: boolean
  is_admin: boolean
  has_pending_checkout: boolean
  status: string | null
  product_id: string | null
  current_period_start: Date | null
  current_period_end: Date | null
  cancel_at: Date | null
  unpaid_since: Date | null
  test_now: Date | null
  entitled_until: Date | null
  synced_at: Date
}

const statement = `select u.id, u.email, u.email_confirmed_at is not null as email_confirmed, u.is_anonymous,
    u.banned_until, u.deleted_at, s.id as session_id, s.aal, s.not_after,
    exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin') as is_admin,
    exists (select 1 from pending_checkout p where p.user_id = u.id) as has_pending_checkout,
    b.status, b.product_id, b.current_period_start, b.current_period_end, b.cancel_at, b.unpaid_since, b.test_now,
    b.entitled_until, b.synced_at
  from auth.users u
    left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id
    left join subscription_state b on b.user_id = u.id
  where u.id = $1::uuid`

/**
 * The hot path of every call that needs somebody: a remembered signature check and one read by primary keys. Session,
 * ban, role and subscription are read anew each time, so a sign-out or a cancellation holds from the next call on.
 */
export function createReadPrincipal(deps: Deps): ReadPrincipal {
  const verifyBearer = createVerifyBearer(deps)
  return async (authorization) => {
    const { userId, sessionId } = await verifyBearer(authorization)
    const [row] = await deps.database.prepared<PrincipalRow>('auth-principal', statement, [userId, sessionId])
    return toPrincipal(requireLiveSession(row, deps.clock()), sessionId)
  }
}

const toPrincipal = (row: PrincipalRow, sessionId: string): Principal => ({
  userId: row.id,
  sessionId,
  email: row.email ?? '',
  emailConfirmed: row.email_confirmed,
  aal: row.aal === 'aal1' ? 'aal1' : 'aal2',
  isAnonymous: row.is_anonymous,
  isAdmin: row.is_admin,
  hasPendingCheckout: row.has_pending_checkout,
  subscription: row.status === null ? null : toSubscription(row, row.status),
})

const toSubscription = (row: PrincipalRow, status: string): NonNullable<Principal['subscription']> => ({
  status,
  productId: row.product_id,
  currentPeriodStart: row.current_period_start,
  currentPeriodEnd: row.current_period_end,
  cancelAt: row.cancel_at,
  unpaidSince: row.unpaid_since,
  testNow: row.test_now,
  entitledUntil: row.entitled_until,
  syncedAt: row.synced_at,
})
