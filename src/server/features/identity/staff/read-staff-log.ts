import { eq, type SQL, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import { createdAtPosition, type Db } from '#server/db/database.ts'
import { auditLogEntries, users } from '#server/db/schema/index.ts'
import { addressHashes } from '#server/features/identity/auth/security/record-deletion.ts'
import {
  type LoggedEvent,
  ofActor,
  ofAddress,
  ofEvent,
  ofUser,
  olderThan,
  readSecurityLog,
} from '#server/features/identity/auth/security/security-event.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { StaffLogPage } from '#shared/contracts/identity/staff-log.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import type { AuditObject, SecurityEvent } from '#shared/domain/security-events.ts'

const defaultPageSize = 50
/** An email address can have belonged to several accounts, one after the other. */
const maxAccounts = 20

export type StaffLogQuery = {
  email?: string | null
  event?: SecurityEvent | null
  object?: AuditObject['kind'] | null
  from?: string | null
  until?: string | null
  cursor?: string | null
  limit?: number
}

/** Newest first, in keyset pages: every page costs the same, whatever the filter. */
export async function readStaffLog(
  { db, secrets }: { db: Db; secrets: SecretBox },
  { email, event, object, from, until, cursor, limit = defaultPageSize }: StaffLogQuery,
): Promise<StaffLogPage> {
  const [createdAtMicros, lastId] = cursor ? decodeCursor(cursor, createdAtPosition) : []
  const before = createdAtMicros && lastId ? olderThan({ createdAtMicros, id: lastId }) : undefined
  const lists = email
    ? listsOf(normalizeEmail(email), await accountsOf(db, secrets, normalizeEmail(email)))
    : [undefined]
  const where = [
    event ? ofEvent(event) : undefined,
    object ? ofObject(object) : undefined,
    from ? sql`${auditLogEntries.createdAt} >= ${`${from}T00:00:00Z`}::timestamptz` : undefined,
    until ? sql`${auditLogEntries.createdAt} < ${`${until}T00:00:00Z`}::timestamptz + interval '1 day'` : undefined,
    before,
  ]
  const found = newestOf(
    await Promise.all(lists.map((about) => readSecurityLog(db, { where: [about, ...where], limit: limit + 1 }))),
  )
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.createdAtMicros, last.id])
  return {
    items: page.map(({ id, at, event, email, userId, by, device, ip, note, object, changes }) => ({
      id,
      at: at.toISOString(),
      event,
      email,
      userId,
      by,
      device,
      ip,
      note,
      object,
      changes,
    })),
    nextCursor,
  }
}

const ofObject = (kind: AuditObject['kind']) => sql`(${auditLogEntries.payload} -> 'object' ->> 'kind') = ${kind}`

/** The account with this address, and deleted accounts that had it. */
async function accountsOf(db: Db, secrets: SecretBox, email: string): Promise<string[]> {
  const now = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const deleted = await db
    .select({ id: sql<string | null>`${auditLogEntries.payload} ->> 'user_id'` })
    .from(auditLogEntries)
    .where(
      sql`(${auditLogEntries.payload} ->> 'email_hash') = any(${sql.param(addressHashes(secrets, email))}::text[])`,
    )
    .limit(maxAccounts)
  return [...now, ...deleted].flatMap(({ id }) => id ?? [])
}

/** Events about these accounts, actions by them, and events about the address alone. Each query has its own index. */
const listsOf = (email: string, accounts: readonly string[]): SQL[] => [
  ofAccounts(accounts, ofUser),
  ofAccounts(accounts, ofActor),
  ofAddress(email),
]

/** Merges the lists, newest first, without duplicates: an admin can change their own account. */
function newestOf(lists: readonly LoggedEvent[][]): LoggedEvent[] {
  const events = new Map(lists.flat().map((event) => [event.id, event]))
  const rank = ({ createdAtMicros, id }: LoggedEvent) => createdAtMicros.padStart(20, '0') + id
  return [...events.values()].toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))
}

/** For one account compares with `=`, which keeps the index order. More than one is rare. */
function ofAccounts(ids: readonly string[], of: (id: string) => SQL): SQL {
  const [first, ...others] = ids
  if (!first) return sql`false`
  return others.length === 0 ? of(first) : sql`(${sql.join(ids.map(of), sql` or `)})`
}
