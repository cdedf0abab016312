import { or, sql } from 'drizzle-orm'
import type { SecretBox } from '#server/config/secret-box.ts'
import type { Tx } from '#server/db/database.ts'
import { auditLogEntries } from '#server/db/schema/index.ts'
import { type AuditPayload, ofActor, ofAddress, ofUser } from './security-event.ts'

/** Replaces the address of a deleted account in the staff log. */
const deletedAccount = 'deleted account'
const purpose = 'deleted account'

/** HMAC of a deleted account's address, so that its owner's requests can still be answered. */
const addressHash = (secrets: SecretBox, email: string) => secrets.sign(purpose, email.toLowerCase())

/** All possible hashes, including those made with former secret keys. */
export const addressHashes = (secrets: SecretBox, email: string) => secrets.signatures(purpose, email.toLowerCase())

/**
 * Records a deletion and removes address, device, IP address and notes from the account's earlier entries. Entries about the
 * address alone are included only if the account had confirmed it.
 */
export async function recordDeletion(
  tx: Tx,
  { secrets }: { secrets: SecretBox },
  {
    userId,
    email,
    isConfirmed,
    by,
    actorId,
    now,
  }: { userId: string; email: string; isConfirmed: boolean; by?: string; actorId?: string; now: Date },
): Promise<void> {
  await tx
    .update(auditLogEntries)
    .set({
      payload: sql`(${auditLogEntries.payload} - 'user_agent' - 'note' - 'changes') || ${JSON.stringify({ email: deletedAccount })}::jsonb`,
      ipAddress: '',
    })
    .where(isConfirmed ? or(ofUser(userId), ofAddress(email)) : ofUser(userId))
  // Admin actions remain, without the admin's identity.
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
    ...(actorId && { actor_id: actorId }),
  }
  await tx.insert(auditLogEntries).values({ id: crypto.randomUUID(), payload, createdAt: now })
}
