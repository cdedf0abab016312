import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { auditLogEntries, users } from '#server/db/schema/index.ts'
import type { CallRequest } from '#server/http/functions.ts'
import type { Principal } from '#server/http/principal.ts'
import type { Change } from '#shared/domain/changes-between.ts'
import type { AdminEvent, AuditObject } from '#shared/domain/security-events.ts'
import { callerInfo } from '../sessions/client-info.ts'
import type { AuditPayload, SecurityEventEntry } from './security-event.ts'
import { ofActor, ofEvent } from './security-log.ts'

/** The admin who does something, as the audit log and the records of editors keep them. */
export type Actor = {
  /** Empty where the account is gone by now. */
  userId: string
  email: string
  client?: SecurityEventEntry['client']
}

export const actorOf = (
  { userId, email }: Principal,
  request: Pick<CallRequest, 'clientAddress' | 'userAgent'>,
): Actor => ({ userId, email, client: callerInfo(request) })

type AdminEventEntry = {
  event: AdminEvent
  /** What was changed; null for settings and for what is about an account. */
  object?: AuditObject | null
  /** The account or the address that it is about. */
  about?: { userId: string | null; email: string }
  /** Without secrets. */
  changes?: readonly Change[]
  /** For people; never a token, code, hash or key. */
  note?: string
  now: Date
}

/**
 * What is done about an address is told to the account that has confirmed it, and to no other: anyone can sign up with any
 * address, read its own lines of the log, and empty them by deleting the account.
 */
export async function aboutAddress(db: Db | Tx, email: string): Promise<{ userId: string | null; email: string }> {
  const [confirmed] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNotNull(users.emailConfirmedAt)))
  return { userId: confirmed?.id ?? null, email }
}

const maxValueLength = 500
const cut = (value: string | null) => value?.slice(0, maxValueLength) ?? null

/** Writes one line of the audit log about what an admin did, in the transaction of the change itself. */
export async function recordAdminEvent(db: Db | Tx, actor: Actor, entry: AdminEventEntry): Promise<void> {
  const { event, object, about, changes = [], note, now } = entry
  const payload: AuditPayload = {
    action: event,
    user_id: about?.userId ?? null,
    email: about?.email ?? '',
    by: actor.email,
    ...(actor.userId && { actor_id: actor.userId }),
    ...(actor.client?.userAgent && { user_agent: actor.client.userAgent }),
    ...(object && { object: { ...object, name: object.name.slice(0, maxValueLength) } }),
    ...(changes.length > 0 && {
      changes: changes.map(({ field, before, after }) => ({ field, before: cut(before), after: cut(after) })),
    }),
    ...(note && { note: note.slice(0, maxValueLength) }),
  }
  await db
    .insert(auditLogEntries)
    .values({ id: crypto.randomUUID(), payload, createdAt: now, ipAddress: actor.client?.ip ?? '' })
}

/** Edits of one text by one editor within this time are one line: editors save every second. */
const sittingMs = 10 * 60_000

/** The same for what saves itself while somebody types: once per object, editor, and sitting. */
export async function recordEdit(
  db: Db | Tx,
  actor: Actor,
  entry: AdminEventEntry & { object: AuditObject },
): Promise<void> {
  const { event, object, now } = entry
  const since = new Date(now.getTime() - sittingMs).toISOString()
  const [recent] = await db
    .select({ id: auditLogEntries.id })
    .from(auditLogEntries)
    .where(
      and(
        ofActor(actor.userId),
        ofEvent(event),
        sql`${auditLogEntries.createdAt} > ${since}::timestamptz`,
        sql`${auditLogEntries.payload} -> 'object' ->> 'kind' = ${object.kind}`,
        sql`${auditLogEntries.payload} -> 'object' ->> 'id' = ${object.id}`,
      ),
    )
    .limit(1)
  if (!recent) await recordAdminEvent(db, actor, entry)
}
