import { type AccessFactsRow, accessFactsColumns, accessFactsJoins, parseAccessFacts } from '#server/db/access-facts.ts'
import type { Deps } from '#server/feature.ts'
import type { Principal, ReadPrincipal } from '#server/http/principal.ts'
import { parseStoredRole } from '#shared/domain/staff-roles.ts'
import { createVerifyBearer, type VerifiedToken } from './access-token.ts'
import { assuranceLevelOf, requireLiveSession, type SessionRow } from './session-row.ts'

type PrincipalRow = Pick<
  SessionRow,
  'id' | 'email' | 'session_id' | 'aal' | 'not_after' | 'banned_until' | 'deleted_at'
> & {
  name: string | null
  email_confirmed: boolean
  awaits_second_factor: boolean
  is_anonymous: boolean
  stored_role: string | null
  has_pending_checkout: boolean
} & AccessFactsRow

// One JSON value instead of twenty columns, because column parsing in the driver costs more than the read.
const statement = `select json_build_object(
    'id', u.id, 'email', u.email,
    'name', coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'),
    'email_confirmed', u.email_confirmed_at is not null, 'is_anonymous', u.is_anonymous,
    'banned_until', u.banned_until, 'deleted_at', u.deleted_at,
    'session_id', s.id, 'aal', s.aal, 'not_after', s.not_after,
    'awaits_second_factor', s.awaits_second_factor,
    'stored_role', (select r.role from user_roles r where r.user_id = u.id order by r.role limit 1),
    'has_pending_checkout', exists (select 1 from pending_checkout p where p.user_id = u.id),
    ${accessFactsColumns})::text as row
  from auth.users u
    left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id
    ${accessFactsJoins}
  where u.id = $1::uuid`

/**
 * Reads the caller of each authenticated request: a cached signature check and one read by primary keys. Nothing from the
 * database is cached, so a sign-out, ban or cancellation takes effect with the next call.
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

/**
 * The person who connected an assistant, which has no session: `connectionId` stands for one, so that nothing which needs a
 * recent sign-in is allowed.
 * @throws AppError user_not_found, user_banned
 */
export async function readConnectedPrincipal(
  deps: Pick<Deps, 'database' | 'clock'>,
  { userId, connectionId }: { userId: string; connectionId: string },
): Promise<Principal> {
  const [found] = await deps.database.read<{ row: string }>('auth-principal', statement, [userId, connectionId])
  const row = found && (JSON.parse(found.row) as PrincipalRow)
  const live = requireLiveSession(row && { ...row, session_id: connectionId, not_after: null }, deps.clock())
  // Consent needs the second factor, and whoever sets one up later loses the connections from before.
  return { ...toPrincipal(live, { sessionId: connectionId, aal: 'aal1' }), awaitsSecondFactor: false }
}

const toPrincipal = (row: PrincipalRow, token: Pick<VerifiedToken, 'sessionId' | 'aal'>): Principal => ({
  userId: row.id,
  sessionId: token.sessionId,
  email: row.email ?? '',
  name: row.name,
  emailConfirmed: row.email_confirmed,
  ...assuranceLevelOf(row, token),
  isAnonymous: row.is_anonymous,
  staffRole: parseStoredRole(row.stored_role),
  hasPendingCheckout: row.has_pending_checkout,
  ...parseAccessFacts(row),
})
