import { or, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Tx } from '#server/db/database.ts'
import { auditLogEntries } from '#server/db/schema/index.ts'
import type { AuditPayload } from './security-event.ts'
import { ofActor, ofAddress, ofUser } from './security-log.ts'

/** What stands in the log for the address of an account that is gone. */
const deletedAccount = 'deleted account'
const purpose = 'deleted account'

/**
 * The address of a deleted account under the server's key: whoever writes "I had an account" can be answered, and the
 * table alone names nobody.
 */
const addressHash = (secrets: SecretBox, email: string) => secrets.sign(purpose, email.toLowerCase())

/** The same as it may stand in older lines, from before the server's key was changed. */
export const addressHashes = (secrets: SecretBox, email: string) => secrets.signatures(purpose, email.toLowerCase())

/**
 * Notes that an account is gone and takes out of its earlier lines who it was: address, device, client address and
 * notes. What happened, when, and to which id remains. Lines about the address alone are the account's only if it has
 * confirmed the address.
 */
export async function recordDeletion(
  tx: Tx,
  { secrets }: { secrets: SecretBox },
  {
    userId,
    email,
    isConfirmed,
    by,
    now,
  }: { userId: string; email: string; isConfirmed: boolean; by?: string; now: Date },
): Promise<void> {
  await tx
    .update(auditLogEntries)
    .set({
      payload: sql`(${auditLogEntries.payload} - 'user_agent' - 'note' - 'changes') || ${JSON.stringify({ email: deletedAccount })}::jsonb`,
      ipAddress: '',
    })
    .where(isConfirmed ? or(ofUser(userId), ofAddress(email)) : ofUser(userId))
  // What they did as an admin stays, without saying who they were.
  await tx
    .update(auditLogEntries)
    .set({
      payload: sql`(${auditLogEntries.payload} - 'user_agent') || ${JSON.stringify({ by: deletedAccount })}::jsonb`,
      ipAddress: '',
    })
    .where(ofActor(userId))
  const payload: AuditPayload = {
    action: 'account_deleted',
    user_id: userId,
    email: deletedAccount,
    ...(email && { email_hash: addressHash(secrets, email) }),
    ...(by && { by }),
  }
  await tx.insert(auditLogEntries).values({ id: crypto.randomUUID(), payload, createdAt: now })
}
