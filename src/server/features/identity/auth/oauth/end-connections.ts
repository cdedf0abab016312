import { and, eq, notExists } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { oauthAuthorizations, oauthConsents, oauthTokenFamilies } from '#server/db/schema/index.ts'

/**
 * Ends all connections of an account, and codes that weren't exchanged yet. Call it where the account's earlier access must
 * not remain: a new password, a disabled account, a lost role.
 */
export async function endConnections(tx: Tx, userId: string): Promise<void> {
  await tx.delete(oauthAuthorizations).where(eq(oauthAuthorizations.userId, userId))
  await tx.delete(oauthConsents).where(eq(oauthConsents.userId, userId))
}

/** Ends the tokens of one authorization, and the connection if it has no others. */
export async function endTokenFamily(tx: Db | Tx, family: { id: string; consentId: string }): Promise<void> {
  await tx.delete(oauthTokenFamilies).where(eq(oauthTokenFamilies.id, family.id))
  const others = tx
    .select({ id: oauthTokenFamilies.id })
    .from(oauthTokenFamilies)
    .where(eq(oauthTokenFamilies.consentId, family.consentId))
  await tx.delete(oauthConsents).where(and(eq(oauthConsents.id, family.consentId), notExists(others)))
}
