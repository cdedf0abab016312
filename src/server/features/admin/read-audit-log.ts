import { eq, type SQL, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Db } from '#server/db/database.ts'
import { auditLogEntries, users } from '#server/db/schema/index.ts'
import { normalizeEmail } from '#server/features/auth/mailed/email-address.ts'
import { addressHashes } from '#server/features/auth/security/record-deletion.ts'
import { ofEvent, ofUser, olderThan, readSecurityLog } from '#server/features/auth/security/security-log.ts'
import type { AuditLogPage } from '#shared/contracts/admin-security.ts'
import type { SecurityEvent } from '#shared/domain/security-events.ts'
import { decodeCursor, encodeCursor } from './user-cursor.ts'

const defaultPageSize = 50
/** Accounts that one address has had, one after the other. */
const mostAccounts = 20

export type AuditLogQuery = {
  email?: string | null
  event?: SecurityEvent | null
  cursor?: string | null
  limit?: number
}

/** Security events newest first, in keyset pages: any page of any filter costs what the first one costs. */
export async function readAuditLog(
  { db, secrets }: { db: Db; secrets: SecretBox },
  { email, event, cursor, limit = defaultPageSize }: AuditLogQuery,
): Promise<AuditLogPage> {
  const before = cursor ? olderThan(decodeCursor(cursor)) : undefined
  const account = email ? ofAccounts(await accountsOf(db, secrets, normalizeEmail(email))) : undefined
  const found = await readSecurityLog(db, {
    where: [account, event ? ofEvent(event) : undefined, before],
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    events: page.map(({ id, at, event, email, userId, by, device, ip, note }) => ({
      id,
      at: at.toISOString(),
      event,
      email,
      user_id: userId,
      by,
      device,
      ip,
      note,
    })),
    next_cursor: found.length > limit && last ? encodeCursor(last) : null,
  }
}

/** The account that has the address now, and those that had it when they were deleted. */
async function accountsOf(db: Db, secrets: SecretBox, email: string): Promise<string[]> {
  const now = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const deleted = await db
    .select({ id: sql<string | null>`${auditLogEntries.payload} ->> 'user_id'` })
    .from(auditLogEntries)
    .where(
      sql`(${auditLogEntries.payload} ->> 'email_hash') = any(${sql.param(addressHashes(secrets, email))}::text[])`,
    )
    .limit(mostAccounts)
  return [...now, ...deleted].flatMap(({ id }) => id ?? [])
}

/** One account is compared by `=`, which keeps the order of the index; more than one is rare and short. */
function ofAccounts(ids: readonly string[]): SQL {
  const [first, ...others] = ids
  if (!first) return sql`false`
  return others.length === 0 ? ofUser(first) : sql`(${sql.join(ids.map(ofUser), sql` or `)})`
}
