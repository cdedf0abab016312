import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { flowState, users } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { revokeTokens } from '../email-flows/one-time-token.ts'
import { endConnections } from '../oauth/end-connections.ts'
import { notifySecurityChange, type SecurityEventEntry } from '../security/security-event.ts'
import { logOut } from '../sessions/log-out.ts'

type PasswordChange = Omit<SecurityEventEntry, 'event' | 'userId'> & {
  userId: string
  passwordHash: string
  /** The session to keep; null ends all sessions. */
  sessionId: string | null
}

/** Stores a new password, ends other sessions and all connections, revokes pending codes and links, and notifies the owner. */
export async function changePassword(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'enqueue'>,
  { passwordHash, sessionId, ...entry }: PasswordChange,
): Promise<void> {
  const { userId, now } = entry
  await tx.update(users).set({ encryptedPassword: passwordHash, updatedAt: now }).where(eq(users.id, userId))
  if (sessionId) await logOut(tx, { userId, sessionId }, 'others')
  else await logOut(tx, { userId, sessionId: '' }, 'global')
  await revokeTokens(tx, userId)
  await endConnections(tx, userId)
  await tx.delete(flowState).where(eq(flowState.userId, userId))
  await notifySecurityChange(tx, deps, { event: 'password_changed', ...entry })
}
