import type { Deps } from '#server/feature.ts'
import { familyOfAccessToken, mcpResource } from '#server/features/identity/auth/oauth/connection-tokens.ts'
import { isBanned } from '#server/features/identity/auth/sessions/session-row.ts'
import { type Right, rightsFor } from '#shared/domain/connection-rights.ts'
import { minuteMs } from '#shared/domain/durations.ts'
import { parseStoredRole } from '#shared/domain/staff-roles.ts'

type ConnectionDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

export type Connection = {
  connectionId: string
  /** The client's id: of a registration, or the address of its metadata document. */
  clientId: string
  userId: string
  /** What the person allowed, without what only staff may do if they aren't on the staff (anymore). */
  rights: ReadonlySet<Right>
}

type Row = {
  id: string
  client_id: string
  user_id: string
  scopes: string
  last_used_at: string | Date | null
  stored_role: string | null
  banned_until: string | Date | null
}

const statement = `select c.id, coalesce(o.metadata_url, o.id::text) as client_id, c.user_id, c.scopes, c.last_used_at,
    (select r.role from user_roles r where r.user_id = c.user_id order by r.role limit 1) as stored_role, u.banned_until
  from auth.oauth_token_families f
    join auth.oauth_consents c on c.id = f.consent_id and c.revoked_at is null
    join auth.oauth_clients o on o.id = c.client_id and o.deleted_at is null
    join auth.users u on u.id = c.user_id and u.deleted_at is null
  where f.id = $1::uuid and f.resource = $2`

/**
 * The connection behind an access token for our MCP server. Everything but the token's signature is read from the database
 * at every call, so that ending a connection works at once on every node.
 * @returns undefined for a token that is unknown, expired, ended or for another address
 */
export async function readConnection(deps: ConnectionDeps, accessToken: string): Promise<Connection | undefined> {
  const familyId = familyOfAccessToken(deps, accessToken)
  if (!familyId) return undefined
  const { database, config, clock } = deps
  const [row] = await database.read<Row>('connection', statement, [familyId, mcpResource(config.publicUrl)])
  const now = clock()
  if (!row || isBanned(row, now)) return undefined
  const usedAgoMs = row.last_used_at ? now.getTime() - new Date(row.last_used_at).getTime() : minuteMs
  if (usedAgoMs >= minuteMs) {
    const update = 'update auth.oauth_consents set last_used_at = $2::timestamptz where id = $1::uuid'
    await database.prepared('connection-used', update, [row.id, now.toISOString()])
  }
  return {
    connectionId: row.id,
    clientId: row.client_id,
    userId: row.user_id,
    rights: new Set(rightsFor(row.scopes.split(' '), parseStoredRole(row.stored_role))),
  }
}
