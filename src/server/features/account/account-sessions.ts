import { and, eq, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { sessions } from '#server/db/schema/index.ts'
import { recordSecurityEvent } from '#server/features/auth/security/security-event.ts'
import { type CallerContext, callerInfo } from '#server/features/auth/sessions/client-info.ts'
import type { Principal } from '#server/http/principal.ts'
import type { listSessionsCall } from '#shared/contracts/account-security.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import type { AccountDeps } from './account-deps.ts'

const maxSessions = 100

type Row = {
  id: string
  user_agent: string | null
  ip: string | null
  started_at: string | Date
  last_used_at: string | Date
  second_factor: boolean
}

const statement = `select s.id, s.user_agent, host(s.ip) as ip, s.created_at as started_at,
    greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'utc') as last_used_at,
    s.aal <> 'aal1' or exists (select 1 from auth.mfa_amr_claims a
      where a.session_id = s.id and a.authentication_method = 'passkey') as second_factor
  from auth.sessions s
  where s.user_id = $1::uuid and (s.not_after is null or s.not_after > $3::timestamptz)
  order by s.id = $2::uuid desc, last_used_at desc, s.id
  limit ${maxSessions}`

/** The account's unexpired sessions: the current one first, then by last use. */
export async function listSessions(
  { database, clock }: Pick<AccountDeps, 'database' | 'clock'>,
  { userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>,
): Promise<z.input<typeof listSessionsCall.output>> {
  const values = [userId, sessionId, clock().toISOString()]
  const rows = await database.prepared<Row>('account-sessions', statement, values)
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === sessionId,
      device: deviceName(row.user_agent),
      ip: row.ip ?? '',
      startedAt: new Date(row.started_at).toISOString(),
      lastUsedAt: new Date(row.last_used_at).toISOString(),
      secondFactor: row.second_factor,
    })),
  }
}

/**
 * Ends another session of the account; its tokens fail from the next request on. Unknown ids, other users' ids and the
 * current session are ignored, with the same response.
 */
export async function endSession(
  { database, clock }: Pick<AccountDeps, 'database' | 'clock'>,
  { who, request }: CallerContext,
  id: string,
): Promise<{ ended: boolean }> {
  return database.db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, who.userId), ne(sessions.id, who.sessionId)))
      .returning({ userAgent: sessions.userAgent })
    if (!ended) return { ended: false }
    await recordSecurityEvent(tx, {
      event: 'session_ended',
      userId: who.userId,
      email: who.email,
      client: callerInfo(request),
      note: deviceName(ended.userAgent),
      now: clock(),
    })
    return { ended: true }
  })
}
