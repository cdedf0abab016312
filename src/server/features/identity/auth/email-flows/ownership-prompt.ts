import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { type FoundToken, findSignUpTokens } from './one-time-token.ts'
import { isKnownClient } from './unverified-access.ts'

/** Why the link's page asks who created the account, and the time of the sign-up that the link belongs to. */
export type OwnershipPrompt = { reason: 'unknown-browser' | 'several-sign-ups'; signedUpAt: Date }

/**
 * Decides whether the link's page must ask if the existing password and sessions are the user's own. Null if that is
 * known, or if there is nothing to keep.
 */
export async function findOwnershipPrompt(
  { config, database: { db } }: Pick<AuthDeps, 'config' | 'database'>,
  { row }: FoundToken,
  client: ClientInfo,
): Promise<OwnershipPrompt | null> {
  const { tokenType, relatesTo, userId } = row
  if (tokenType === 'recovery_token' || config.adminEmails.includes(relatesTo)) return null
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.emailConfirmedAt || user.createdByAdmin) return null
  const { createdAt: signedUpAt } = row
  if (row.encryptedPassword) {
    return (await findSignUpTokens(db, userId)).length > 1 ? { reason: 'several-sign-ups', signedUpAt } : null
  }
  // With EMAIL_CONFIRMATION=first no one has signed in yet, and this link carries no password.
  if (tokenType === 'confirmation_token' && config.auth.emailConfirmation === 'first') return null
  const hasAccess = user.encryptedPassword !== null || user.lastSignInAt !== null
  if (!hasAccess || (await isKnownClient(db, userId, client))) return null
  return { reason: 'unknown-browser', signedUpAt }
}
