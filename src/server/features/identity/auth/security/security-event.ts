import { and, eq, type SQL, sql } from 'drizzle-orm'
import { afterCursor as afterRow, type Db, newestFirst, type Tx, toMicroseconds } from '#server/db/database.ts'
import { auditLogEntries, emailPreferences, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { type NoticeEvent, securityNoticeEmail } from '#server/mail/texts/security-emails.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import {
  type AuditObject,
  type SecurityEvent,
  securityEventNames,
  staffOnlyEvents,
} from '#shared/domain/security-events.ts'
import { tryDailyEmailLimit, tryDailyNoticeLimit } from '../limits/email-limits.ts'
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

export type SecurityChange = SecurityEventEntry & {
  event: NoticeEvent
  /** The address before the change; empty if there is none. */
  email: string
  /** True if that address was confirmed, if the user's row doesn't tell (anymore). */
  isEmailVerified?: boolean
}

/**
 * Records a security change and emails the owner. Call it in the transaction of the change. Emails have a daily limit, much
 * lower for unconfirmed addresses, which may belong to someone else; the staff log records every change.
 */
export async function notifySecurityChange(
  tx: Tx,
  { config, enqueue }: Pick<Deps, 'config' | 'enqueue'>,
  change: SecurityChange,
): Promise<void> {
  const { email, now } = change
  await recordSecurityEvent(tx, change)
  if (!email) return
  const owner = await readOwner(tx, change.userId)
  const isEmailVerified = change.isEmailVerified ?? Boolean(owner?.confirmedAt)
  const isAllowed = isEmailVerified
    ? await tryDailyNoticeLimit(tx, change.event, email, now)
    : await tryDailyEmailLimit(tx, 'unverified_notice', email, now)
  if (!isAllowed) return
  const notice = securityNoticeEmail({
    to: email,
    event: change.event,
    device: change.by || !change.client ? null : deviceName(change.client.userAgent),
    when: now,
    timeZone: owner?.timeZone ?? null,
    config,
  })
  await enqueue(tx, emailJob, notice)
}

async function readOwner(tx: Tx, userId: string | null) {
  if (!userId) return null
  const [owner] = await tx
    .select({ confirmedAt: users.emailConfirmedAt, timeZone: emailPreferences.timeZone })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .where(eq(users.id, userId))
  return owner
}
