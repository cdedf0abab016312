import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { refreshTokens, sessions, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from './client-info.ts'
import type { IssuedSession } from './create-session.ts'
import { hashRefreshToken, refreshPurpose, successorOf } from './refresh-token.ts'
import { decideReuse } from './reuse-decision.ts'
import { lastUseSql, sessionExpiry, sessionExpirySql } from './session-expiry.ts'
import { createSessionResponse, toWireSession, type WireSession } from './session-response.ts'
import { isBanned, type SessionRow, sessionColumns, userColumns } from './session-row.ts'

type RefreshDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>

/** Asked for only when there is something to note: most refreshes are nobody's business. */
type Client = () => Pick<ClientInfo, 'ip' | 'userAgent'>

export const refreshGrantInput = z.object({
  refresh_token: z.string({ error: 'refresh_token required' }).min(1, 'refresh_token required'),
})

/** More generations than anybody makes within the reuse interval. */
const maxGenerations = 1_000

/**
 * The usual case in one statement. The session row is locked first, everywhere, so that the refreshes of a session stand
 * in line; `not t.revoked` is then read anew, so of several callers with one token exactly one gets a row.
 */
const exchange = `with live as (
    select s.id from auth.refresh_tokens t
      join auth.sessions s on s.id = t.session_id join auth.users u on u.id = s.user_id
    where t.token = $1 and (s.not_after is null or s.not_after > $3::timestamptz) and u.deleted_at is null
      and coalesce(${sessionExpirySql(lastUseSql, '$4', '$5')} > $3::timestamptz, true)
      and (u.banned_until is null or u.banned_until <= $3::timestamptz)
    for update of s
  ), used as (
    update auth.refresh_tokens t set revoked = true, updated_at = $3::timestamptz from live
      where t.token = $1 and t.session_id = live.id and not t.revoked
      returning t.session_id, t.user_id
  ), successor as (
    insert into auth.refresh_tokens (token, user_id, parent, session_id, revoked, created_at, updated_at)
      select $2, user_id, $1, session_id, false, $3::timestamptz, $3::timestamptz from used
  ), touched as (
    update auth.sessions s set refreshed_at = $3::timestamptz at time zone 'utc', updated_at = $3::timestamptz,
        not_after = ${sessionExpirySql('$3::timestamptz', '$4', '$5')}
      from used where s.id = used.session_id
  )
  select ${userColumns}, ${sessionColumns}
    from used join auth.sessions s on s.id = used.session_id join auth.users u on u.id = s.user_id`

/**
 * Exchanges a refresh token for its successor.
 * @throws AppError refresh_token_not_found, refresh_token_already_used (and the family is revoked), session_not_found,
 * session_expired, user_banned; all 400, since clients try again after any 5xx
 */
export async function refreshSession(deps: RefreshDeps, token: string, client: Client): Promise<WireSession> {
  if (!/^[A-Za-z0-9._-]{1,512}$/.test(token))
    throw new AppError('validation_failed', { message: 'Refresh token is not valid' })
  const { sessionDays } = deps.config.auth
  const successor = successorOf(deps.secrets, token)
  const [row] = await deps.database.prepared<SessionRow>('auth-refresh', exchange, [
    hashRefreshToken(token),
    hashRefreshToken(successor),
    deps.clock().toISOString(),
    sessionDays.max,
    sessionDays.idle,
  ])
  return row ? toWireSession(deps, row, successor) : reuseToken(deps, token, client)
}

async function reuseToken(deps: RefreshDeps, token: string, client: Client): Promise<WireSession> {
  const outcome = await deps.database.db.transaction((tx) => resolveReuse(deps, tx, token, client))
  if (outcome instanceof AppError) throw outcome
  if (outcome === 'again') return refreshSession(deps, token, client)
  return createSessionResponse(deps, outcome)
}

/** Returns refusals instead of throwing them: a revoked family must survive the end of the transaction. */
async function resolveReuse(
  deps: RefreshDeps,
  tx: Tx,
  token: string,
  client: Client,
): Promise<IssuedSession | AppError | 'again'> {
  const hash = hashRefreshToken(token)
  const now = deps.clock()
  const [known] = await tx
    .select({ sessionId: refreshTokens.sessionId })
    .from(refreshTokens)
    .where(eq(refreshTokens.token, hash))
  if (!known?.sessionId) return new AppError('refresh_token_not_found')
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, known.sessionId)).for('update')
  const [presented] = await tx.select().from(refreshTokens).where(eq(refreshTokens.token, hash))
  if (!session || !presented) return new AppError('session_not_found', { status: 400 })
  const [user] = await tx
    .select({ email: users.email, banned_until: users.bannedUntil, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, session.userId))
  if (!user || user.deletedAt) return new AppError('session_not_found', { status: 400 })
  if (isBanned(user, now)) return new AppError('user_banned', { status: 400 })

  const [active] = await tx
    .select()
    .from(refreshTokens)
    .where(and(eq(refreshTokens.sessionId, session.id), eq(refreshTokens.revoked, false)))
    .orderBy(desc(refreshTokens.id))
    .limit(1)
  const decision = decideReuse(
    { hash, used: presented.revoked, usedAt: presented.updatedAt },
    active ? { parentHash: active.parent } : null,
    now,
  )
  if (decision !== 'revoke_family') {
    const ends = [session.notAfter, sessionExpiry(session, deps.config.auth.sessionDays)]
    if (ends.some((end) => end !== null && end <= now)) return new AppError('session_expired')
    // Unused and nothing against it: what stood in the way of the exchange, such as a ban, has just gone.
    if (decision === 'rotate') return 'again'
    const refreshToken = active && descendant(deps, token, active.token)
    if (refreshToken) return { userId: session.userId, sessionId: session.id, refreshToken }
  }
  const wasLive = session.notAfter === null || session.notAfter > now
  await revokeFamily(tx, session.id, now)
  // Once: whoever comes with it again finds the session ended.
  if (wasLive) {
    await recordSecurityEvent(tx, {
      event: 'refresh_token_reused',
      userId: session.userId,
      email: user.email ?? '',
      client: client(),
      now,
    })
  }
  return new AppError('refresh_token_already_used')
}

/** Follows the successors to the active token: the table knows hashes only, the server's key finds the token again. */
function descendant({ secrets }: RefreshDeps, token: string, activeHash: string | null): string | null {
  // The direct child may have been made before the server's key was changed.
  const child = secrets.signatures(refreshPurpose, token).find((each) => hashRefreshToken(each) === activeHash)
  if (child) return child
  let candidate = token
  for (let generation = 0; generation < maxGenerations; generation += 1) {
    candidate = successorOf(secrets, candidate)
    if (hashRefreshToken(candidate) === activeHash) return candidate
  }
  return null
}

/** Ends the session for its access tokens too. The row stays, so that every token of the family is recognised as used. */
async function revokeFamily(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(refreshTokens).set({ revoked: true }).where(eq(refreshTokens.sessionId, sessionId))
  await tx.update(sessions).set({ notAfter: now, updatedAt: now }).where(eq(sessions.id, sessionId))
}
