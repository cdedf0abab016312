import type { Deps } from '#server/deps.ts'
import type { Principal, ReadPrincipal } from '#server/http/principal.ts'
import { createVerifyBearer, type VerifiedToken } from './access-token.ts'
import { assuranceLevelOf, requireLiveSession, type SessionRow } from './session-row.ts'

type PrincipalRow = Pick<
  SessionRow,
  'id' | 'email' | 'session_id' | 'aal' | 'not_after' | 'banned_until' | 'deleted_at'
> & {
  email_confirmed: boolean
  awaits_second_factor: boolean
  is_anonymous: boolean
  is_admin: boolean
  has_pending_checkout: boolean
  complimentary_until: string | null
  status: string | null
  team: (SubscriptionColumns & { owner_id: string; status: string }) | null
} & SubscriptionColumns

type SubscriptionColumns = {
  product_id: string | null
  current_period_start: string | null
  current_period_end: string | null
  cancel_at: string | null
  unpaid_since: string | null
  test_clock_time: string | null
  entitled_until: string | null
  synced_at: string
}

const subscriptionColumns = (of: string) => `
    'status', ${of}.status, 'product_id', ${of}.product_id, 'current_period_start', ${of}.current_period_start,
    'current_period_end', ${of}.current_period_end, 'cancel_at', ${of}.cancel_at, 'unpaid_since', ${of}.unpaid_since,
    'test_clock_time', ${of}.test_clock_time, 'entitled_until', ${of}.entitled_until, 'synced_at', ${of}.synced_at`

// One JSON text instead of twenty columns: describing and parsing columns costs the driver more than the read itself.
const statement = `select json_build_object(
    'id', u.id, 'email', u.email, 'email_confirmed', u.email_confirmed_at is not null, 'is_anonymous', u.is_anonymous,
    'banned_until', u.banned_until, 'deleted_at', u.deleted_at,
    'session_id', s.id, 'aal', s.aal, 'not_after', s.not_after,
    'awaits_second_factor', s.awaits_second_factor,
    'is_admin', exists (select 1 from user_roles r where r.user_id = u.id and r.role = 'admin'),
    'has_pending_checkout', exists (select 1 from pending_checkout p where p.user_id = u.id),
    'team', (select json_build_object('owner_id', t.owner_id, ${subscriptionColumns('o')})
      from team_seat t join subscription_state o on o.user_id = t.owner_id where t.user_id = u.id),
    'complimentary_until', c.until,
    ${subscriptionColumns('b')})::text as row
  from auth.users u
    left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id
    left join subscription_state b on b.user_id = u.id
    left join complimentary_access c on c.user_id = u.id
  where u.id = $1::uuid`

/**
 * The hot path of every call that needs somebody: a remembered signature check and one read by primary keys. Session,
 * ban, role, seat and subscription are read anew each time, so a sign-out, a cancellation or the loss of a seat holds
 * from the next call on.
 */
export function createReadPrincipal(deps: Deps): ReadPrincipal {
  const verifyBearer = createVerifyBearer(deps)
  return async (authorization) => {
    const token = await verifyBearer(authorization)
    const [found] = await deps.database.read<{ row: string }>('auth-principal', statement, [
      token.userId,
      token.sessionId,
    ])
    const row = found && (JSON.parse(found.row) as PrincipalRow)
    return toPrincipal(requireLiveSession(row, deps.clock()), token)
  }
}

const toPrincipal = (row: PrincipalRow, token: VerifiedToken): Principal => ({
  userId: row.id,
  sessionId: token.sessionId,
  email: row.email ?? '',
  emailConfirmed: row.email_confirmed,
  ...assuranceLevelOf(row, token),
  isAnonymous: row.is_anonymous,
  isAdmin: row.is_admin,
  hasPendingCheckout: row.has_pending_checkout,
  complimentaryUntil: instant(row.complimentary_until),
  subscription: row.status === null ? null : toSubscription(row, row.status),
  team: row.team && { ...toSubscription(row.team, row.team.status), ownerId: row.team.owner_id },
})

const toSubscription = (row: SubscriptionColumns, status: string): NonNullable<Principal['subscription']> => ({
  status,
  productId: row.product_id,
  currentPeriodStart: instant(row.current_period_start),
  currentPeriodEnd: instant(row.current_period_end),
  cancelAt: instant(row.cancel_at),
  unpaidSince: instant(row.unpaid_since),
  testClockTime: instant(row.test_clock_time),
  entitledUntil: instant(row.entitled_until),
  syncedAt: new Date(row.synced_at),
})

const instant = (text: string | null) => (text === null ? null : new Date(text))
