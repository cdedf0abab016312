import type { Database } from '#server/db/database.ts'
import { deviceName } from '#shared/domain/device-name.ts'

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

/** An account's unexpired sessions: the current one first, then by last use. */
export async function listSessionsOf(database: Database, userId: string, currentId: string | null, now: Date) {
  const rows = await database.prepared<Row>('account-sessions', statement, [userId, currentId, now.toISOString()])
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip ?? '',
    startedAt: new Date(row.started_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    secondFactor: row.second_factor,
  }))
}
