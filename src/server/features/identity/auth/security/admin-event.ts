import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { auditLogEntries, users } from '#server/db/schema/index.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import type { AdminEvent, AuditObject } from '#shared/domain/security-events.ts'
import { type AuditPayload, ofActor, ofEvent, type SecurityEventEntry } from './security-event.ts'

/** The admin who performed an action: the caller of a product call, or who a stored change was started by. */
export type Actor = {
  /** Empty if the account has been deleted. */
  userId: string
  email: string
  /** The name that the person gave. */
  name?: string | null
  client?: SecurityEventEntry['client']
}

type AdminEventEntry = {
  /** Set if a repeated request must not add a second entry. */
  id?: string
  event: AdminEvent
  /** The changed object; null for settings and events about an account. */
  object?: AuditObject | null
  /** The affected account or address. */
  about?: { userId: string | null; email: string }
  /** Must not contain secrets. */
  changes?: readonly Change[]
  /** For people; never a token, code, hash or key. */
  note?: string
  now: Date
}

/**
 * Attributes an event about an address to the account that has confirmed it. Unconfirmed accounts don't count, because
 * anyone can sign up with any address and read its entries.
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

/** Records an admin action. Call it in the transaction of the change. */
export async function recordAdminEvent(db: Db | Tx, actor: Actor, entry: AdminEventEntry): Promise<void> {
  const { id = crypto.randomUUID(), event, object, about, changes = [], note, now } = entry
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
    .values({ id, payload, createdAt: now, ipAddress: actor.client?.ip ?? '' })
    .onConflictDoNothing()
}

/** Autosaves of one object by one editor within this time are recorded once. */
const editSessionMs = 10 * 60_000

/** Records an autosaved edit, once per object, editor and editing session. */
export async function recordEdit(
  db: Db | Tx,
  actor: Actor,
  entry: AdminEventEntry & { object: AuditObject },
): Promise<void> {
  const { event, object, now } = entry
  const since = new Date(now.getTime() - editSessionMs).toISOString()
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
