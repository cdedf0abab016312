import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { refreshTokens } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { ClientInfo } from './client-info.ts'
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts'

export type IssuedSession = { userId: string; sessionId: string; refreshToken: string }

/** Methods that count as two factors. */
const isMultiFactor = (method: string) => method === 'passkey'

/** A password is proof, an emailed code isn't: it may come from a stolen mailbox, which also resets the password. */
const acceptsTrustedDevice = (method: string) => method === 'password'

/**
 * Creates an aal1 session with its first refresh token. If the account has a second factor, the session awaits it, except on
 * a device that the user trusts. Locks the user's row first, so that a factor enrolled at the same time is not missed.
 * @throws AppError conflict if the account has been disabled or deleted meanwhile
 */
export async function createSession(
  tx: Tx,
  session: {
    userId: string
    method: string
    client: Pick<ClientInfo, 'ip' | 'userAgent'> & Partial<Pick<ClientInfo, 'device'>>
    now: Date
  },
): Promise<IssuedSession> {
  const { userId, method, client } = session
  const now = sql`${session.now.toISOString()}::timestamptz`
  const sessionId = crypto.randomUUID()
  const trustedId = acceptsTrustedDevice(method) ? (client.device?.trusted[userId] ?? null) : null
  const refreshToken = newRefreshToken()
  const touched = await queryRows(
    tx,
    sql`
    with own as (
      update auth.identities set last_sign_in_at = ${now}, updated_at = ${now} where user_id = ${userId}::uuid
    )
    update auth.users set last_sign_in_at = ${now}, updated_at = ${now}
      where id = ${userId}::uuid and deleted_at is null and (banned_until is null or banned_until <= ${now})
      returning id`,
  )
  if (touched.length === 0) throw new AppError('conflict')
  await tx.execute(sql`
    with trusted as (
      select t.id from auth.trusted_devices t
      where t.id = ${trustedId}::uuid and t.user_id = ${userId}::uuid and t.expires_at > ${now}
    ), opened as (
      insert into auth.sessions (
        id, user_id, aal, user_agent, ip, awaits_second_factor, trusted_device_id, created_at, updated_at)
      values (${sessionId}::uuid, ${userId}::uuid, 'aal1', ${client.userAgent}, ${client.ip}::inet,
        ${!isMultiFactor(method)}::boolean and not exists (select 1 from trusted) and exists (
          select 1 from auth.mfa_factors f where f.user_id = ${userId}::uuid and f.status = 'verified'),
        (select id from trusted), ${now}, ${now})
    ), family as (
      insert into auth.refresh_tokens (token, user_id, session_id, created_at, updated_at)
      values (${hashRefreshToken(refreshToken)}, ${userId}, ${sessionId}::uuid, ${now}, ${now})
    )
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    values (gen_random_uuid(), ${sessionId}::uuid, ${method}, ${now}, ${now})`)
  return { userId, sessionId, refreshToken }
}

/** Starts a refresh token family. Only the hash is stored. */
export async function issueFirstRefreshToken(
  tx: Tx,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
) {
  const refreshToken = newRefreshToken()
  await tx.insert(refreshTokens).values({
    token: hashRefreshToken(refreshToken),
    userId,
    sessionId,
    createdAt: now,
    updatedAt: now,
  })
  return refreshToken
}
