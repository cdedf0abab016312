import { and, type SQL, sql } from 'drizzle-orm'
import { afterCursor as afterRow, type Db, newestFirst, type Tx, toMicroseconds } from '#server/db/database.ts'
import { auditLogEntries } from '#server/db/schema/index.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import {
  type AuditObject,
  type SecurityEvent,
  securityEventNames,
  staffOnlyEvents,
} from '#shared/domain/security-events.ts'
import type { AuditPayload } from './security-event.ts'

export type LoggedEvent = {
  id: string
  at: Date
  /** The same instant in whole microseconds since 1970, as the database keeps it. */
  createdAtMicros: string
  event: SecurityEvent
  email: string
  userId: string | null
  by: string | null
  device: string
  ip: string
  note: string | null
  object: AuditObject | null
  changes: Change[]
}

const actionOf = sql`${auditLogEntries.payload} ->> 'action'`
const userIdOf = sql`${auditLogEntries.payload} ->> 'user_id'`
const ours = sql`(${actionOf}) = any(${sql.param(`{${securityEventNames.join(',')}}`)}::text[])`

export const ofUser = (userId: string) => sql`(${userIdOf}) = ${userId}`
export const ofActor = (userId: string) => sql`(${auditLogEntries.payload} ->> 'actor_id') = ${userId}`

const aboutAddresses: readonly SecurityEvent[] = ['address_suppressed', 'suppression_lifted', 'test_email_sent']
/** Admin actions about an address that no account had confirmed. Selected by event first, since these are rare. */
export const ofAddress = (email: string) =>
  sql`((${actionOf}) = any(${sql.param(`{${aboutAddresses.join(',')}}`)}::text[])
    and (${userIdOf}) is null and (${auditLogEntries.payload} ->> 'email') = ${email})`
export const ofEvent = (event: SecurityEvent) => sql`(${actionOf}) = ${event}`

/** Leaves out what staff wrote for themselves. */
export const notStaffOnly = sql`not ((${actionOf}) = any(${sql.param(`{${staffOnlyEvents.join(',')}}`)}::text[]))`

/** Entries older than this one. */
export const olderThan = ({ createdAtMicros, id }: Pick<LoggedEvent, 'createdAtMicros' | 'id'>) =>
  afterRow(auditLogEntries, createdAtMicros, sql`${id}::uuid`)

/** Entries of the staff log, newest first. Skips unknown events of an imported log. */
export async function readSecurityLog(
  db: Db | Tx,
  { where, limit }: { where: readonly (SQL | undefined)[]; limit: number },
): Promise<LoggedEvent[]> {
  const rows = await db
    .select({
      id: auditLogEntries.id,
      createdAt: sql<string>`to_json(${auditLogEntries.createdAt}) #>> '{}'`,
      createdAtMicros: toMicroseconds(auditLogEntries.createdAt),
      payload: auditLogEntries.payload,
      ip: auditLogEntries.ipAddress,
    })
    .from(auditLogEntries)
    .where(and(sql`${auditLogEntries.createdAt} is not null`, ours, ...where))
    .orderBy(...newestFirst(auditLogEntries))
    .limit(limit)
  return rows.map(({ id, createdAt, createdAtMicros, payload, ip }) => {
    const { action, user_id, email, by, user_agent, note, object, changes } = payload as AuditPayload
    return {
      id,
      at: new Date(createdAt),
      createdAtMicros,
      event: action,
      email: email ?? '',
      userId: user_id ?? null,
      by: by ?? null,
      device: deviceName(user_agent),
      ip,
      note: note ?? null,
      object: object ?? null,
      changes: changes ?? [],
    }
  })
}
