import type { Db, Tx } from '#server/db/database.ts'
import { auditLogEntries } from '#server/db/schema/index.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import type { AuditObject, SecurityEvent } from '#shared/domain/security-events.ts'
import type { ClientInfo } from '../sessions/client-info.ts'

/** Stored in `audit_log_entries.payload`. Supabase Auth uses `action` too. */
export type AuditPayload = {
  action: SecurityEvent
  user_id: string | null
  /** The address at that time. */
  email: string
  /** Replaces the address of a deleted account. */
  email_hash?: string
  /** The actor, if not the account itself: an admin's address, or `operator`. */
  by?: string
  /** Account of the admin who did it. */
  actor_id?: string
  user_agent?: string
  /** The changed object, if it isn't an account. */
  object?: AuditObject
  changes?: Change[]
  /** For people; never a token, code, hash or key. */
  note?: string
}

export type SecurityEventEntry = {
  event: SecurityEvent
  userId: string | null
  email: string
  client?: Pick<ClientInfo, 'ip' | 'userAgent'>
  by?: string
  /** Account of the admin who did it. */
  actorId?: string
  /** Must not contain secrets. */
  changes?: readonly Change[]
  note?: string
  now: Date
}

/** Adds an entry to the staff log. Call it in the transaction of the event, if there is one. */
export async function recordSecurityEvent(db: Db | Tx, entry: SecurityEventEntry): Promise<void> {
  const payload: AuditPayload = { action: entry.event, user_id: entry.userId, email: entry.email }
  if (entry.by) payload.by = entry.by
  if (entry.actorId) payload.actor_id = entry.actorId
  if (entry.client?.userAgent) payload.user_agent = entry.client.userAgent
  if (entry.changes && entry.changes.length > 0) payload.changes = [...entry.changes]
  if (entry.note) payload.note = entry.note
  await db.insert(auditLogEntries).values({
    id: crypto.randomUUID(),
    payload,
    createdAt: entry.now,
    ipAddress: entry.client?.ip ?? '',
  })
}
