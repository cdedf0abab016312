import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/database.ts'
import { refreshTokens, sessions, users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import { ProtocolError } from '../protocol-error.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from './client-info.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { redeemAuthCode } from './pkce-flow.ts'
import { hashRefreshToken, refreshPurpose, successorOf } from './refresh-token.ts'
import { decideReuse } from './refresh-token-reuse.ts'
import { lastUseSql, sessionExpiry, sessionExpirySql } from './session-expiry.ts'
import { createSessionResponse, toWireSession, type WireSession } from './session-response.ts'
import { isBanned, type SessionRow, sessionColumns, userColumns } from './session-row.ts'

type RefreshDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>

/** Evaluated only if an staff log entry is needed. */
type Client = () => Pick<ClientInfo, 'ip' | 'userAgent'>

export const refreshGrantInput = z.object({
  refresh_token: z.string({ error: 'refresh_token required' }).min(1, 'refresh_token required'),
})

/** More refreshes than happen within the reuse interval. */
const maxGenerations = 1_000

/**
 * The regular exchange in one statement. Locks the session row first, so that concurrent refreshes are serialized and only
 * one caller finds the token unused.
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
 * session_expired, user_banned; all 400, since clients retry after 5xx
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
  if (outcome === 'retry') return refreshSession(deps, token, client)
  return createSessionResponse(deps, outcome)
}

/** Returns errors instead of throwing them, so that the revocation is committed. */
async function resolveReuse(
  deps: RefreshDeps,
  tx: Tx,
  token: string,
  client: Client,
): Promise<IssuedSession | AppError | 'retry'> {
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
    // The token is unused: whatever blocked the exchange, such as a ban, has just been lifted.
    if (decision === 'rotate') return 'retry'
    const refreshToken = active && descendant(deps, token, active.token)
    if (refreshToken) return { userId: session.userId, sessionId: session.id, refreshToken }
  }
  const wasLive = session.notAfter === null || session.notAfter > now
  await revokeFamily(tx, session.id, now)
  // Recorded once; later attempts find the session ended.
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

/** Derives successors until one matches the active token's hash, since only hashes are stored. */
function descendant({ secrets }: RefreshDeps, token: string, activeHash: string | null): string | null {
  // The direct child may have been derived with a former secret key.
  const child = secrets.signatures(refreshPurpose, token).find((each) => hashRefreshToken(each) === activeHash)
  if (child) return child
  let candidate = token
  for (let generation = 0; generation < maxGenerations; generation += 1) {
    candidate = successorOf(secrets, candidate)
    if (hashRefreshToken(candidate) === activeHash) return candidate
  }
  return null
}

/** Ends the session but keeps its row, so that all tokens of the family are still recognized as used. */
async function revokeFamily(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(refreshTokens).set({ revoked: true }).where(eq(refreshTokens.sessionId, sessionId))
  await tx.update(sessions).set({ notAfter: now, updatedAt: now }).where(eq(sessions.id, sessionId))
}

const bothRequired = 'invalid request: both auth code and code verifier should be non-empty'

export const pkceGrantInput = z.object({
  auth_code: z.string({ error: bothRequired }).min(1, bothRequired),
  code_verifier: z.string({ error: bothRequired }).min(1, bothRequired),
})

/**
 * Exchanges the auth code of a redirect for a session (PKCE).
 * @throws ProtocolError flow_state_not_found, flow_state_expired, bad_code_verifier
 */
export async function exchangeAuthCode(
  deps: AuthDeps,
  input: z.output<typeof pkceGrantInput>,
  client: ClientInfo,
): Promise<IssuedSession> {
  const now = deps.clock()
  const outcome = await deps.database.db.transaction(async (tx) => {
    const flow = await redeemAuthCode(tx, { authCode: input.auth_code, verifier: input.code_verifier, now })
    if (flow instanceof ProtocolError) return flow
    const [user] = await tx.select().from(users).where(eq(users.id, flow.userId))
    if (!user || user.deletedAt) return new ProtocolError('flow_state_not_found')
    if (isBanned({ banned_until: user.bannedUntil }, now)) return new AppError('user_banned', { status: 400 })
    const opened = await createSession(tx, { userId: user.id, method: flow.kind, client, now })
    await rememberSignInAddress(tx, { userId: user.id, client, now })
    await recordSecurityEvent(tx, { event: 'signed_in', userId: user.id, email: user.email ?? '', client, now })
    return opened
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}
