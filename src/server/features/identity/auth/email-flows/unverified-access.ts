import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import {
  backupCodes,
  identities,
  knownAddresses,
  mfaFactors,
  sessions,
  trustedDevices,
  userRoles,
  users,
  webauthnCredentials,
} from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { deleteUserCounters } from '../limits/rate-limit-counters.ts'
import { endConnections } from '../oauth/end-connections.ts'
import { notifySecurityChange, recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { logOut } from '../sessions/log-out.ts'
import { endFlows } from '../sessions/pkce-flow.ts'
import { setCredentials } from '../users/set-credentials.ts'
import { revokeTokens, type SignUpCredentials } from './one-time-token.ts'
import type { VerificationFacts } from './verification-outcome.ts'

type User = typeof users.$inferSelect

/** Admin role and second factor of an ADMIN_EMAILS account; null for other addresses. */
export async function readAdminAddress(
  tx: Tx,
  config: Pick<Config, 'adminEmails'>,
  { userId, email }: { userId: string; email: string },
): Promise<VerificationFacts['adminAddress']> {
  if (!config.adminEmails.includes(email)) return null
  return { isAdmin: await isAdmin(tx, userId), hasSecondStep: await hasSecondFactor(tx, userId) }
}

/**
 * True if the address was verified by email. For ADMIN_EMAILS an automatic confirmation (EMAIL_CONFIRMATION=off) doesn't
 * count.
 */
export async function hasVerifiedEmail(tx: Tx, config: Pick<Config, 'adminEmails'>, user: User): Promise<boolean> {
  if (!user.emailConfirmedAt || !config.adminEmails.includes(user.email ?? '')) return user.emailConfirmedAt !== null
  const [identity] = await tx
    .select({ verified: sql<boolean>`coalesce((${identities.identityData} ->> 'email_verified')::boolean, false)` })
    .from(identities)
    .where(and(eq(identities.userId, user.id), eq(identities.provider, 'email')))
  return identity?.verified ?? false
}

async function isAdmin(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ role: userRoles.role })
    .from(userRoles)
    .where(and(eq(userRoles.userId, userId), eq(userRoles.role, 'admin')))
  return rows.length > 0
}

async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const factors = await tx
    .select({ id: mfaFactors.id })
    .from(mfaFactors)
    .where(and(eq(mfaFactors.userId, userId), eq(mfaFactors.status, 'verified')))
  const passkeys = await tx
    .select({ id: webauthnCredentials.id })
    .from(webauthnCredentials)
    .where(eq(webauthnCredentials.userId, userId))
  return factors.length + passkeys.length > 0
}

/** Returns true if this browser was signed in to the account before, or the client has a session of it. */
export async function isKnownClient(
  db: Db | Tx,
  userId: string,
  { device, heldSessionIds }: Pick<ClientInfo, 'device' | 'heldSessionIds'>,
): Promise<boolean> {
  if (device?.userIds.includes(userId)) return true
  if (heldSessionIds.length === 0) return false
  const held = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), inArray(sessions.id, [...heldSessionIds])))
  return held.length > 0
}

type Revocation = {
  user: User
  email: string
  /** Removes metadata and preferences too. */
  resetsProfile: boolean
  /** Password and metadata to set instead. */
  credentials: SignUpCredentials | null
  /** The PKCE flow to keep. */
  flowId: string | null
  client: Pick<ClientInfo, 'ip' | 'userAgent'>
  now: Date
}

/**
 * Removes all access from before the address was verified: password, sessions, connections, factors, passkeys, backup codes, known
 * addresses, tokens and pending email changes. Notifies the address if something was removed.
 */
export async function revokeUnverifiedAccess(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'enqueue' | 'onProfileReset'>,
  revocation: Revocation,
): Promise<void> {
  const { user, email, resetsProfile, credentials, client, now } = revocation
  const { id: userId } = user
  await tx
    .update(users)
    .set({ encryptedPassword: null, emailChange: null, emailChangeConfirmStatus: 0, updatedAt: now })
    .where(eq(users.id, userId))
  await logOut(tx, { userId, sessionId: crypto.randomUUID() }, 'global')
  await revokeTokens(tx, userId)
  await endConnections(tx, userId)
  await endFlows(tx, { userId, except: revocation.flowId })
  await deleteUserCounters(tx, userId)
  await tx.delete(knownAddresses).where(eq(knownAddresses.userId, userId))
  await tx.delete(trustedDevices).where(eq(trustedDevices.userId, userId))
  const factors = await tx.delete(mfaFactors).where(eq(mfaFactors.userId, userId)).returning()
  const passkeys = await tx.delete(webauthnCredentials).where(eq(webauthnCredentials.userId, userId)).returning()
  await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))
  if (resetsProfile) {
    await setCredentials(tx, { userId, email, passwordHash: null, data: {}, now })
    await deps.onProfileReset(tx, userId)
  }
  if (credentials) await setCredentials(tx, { userId, email, ...credentials, now })

  const hadFactor = factors.some(({ status }) => status === 'verified')
  const entry = { userId, email, client, note: 'when the address was verified', now }
  if (hadFactor) await recordSecurityEvent(tx, { event: 'factor_removed', ...entry })
  if (passkeys.length > 0) await recordSecurityEvent(tx, { event: 'passkey_removed', ...entry })
  if ((user.encryptedPassword && !credentials) || hadFactor || passkeys.length > 0) {
    const event = 'former_access_ended'
    await notifySecurityChange(tx, deps, { event, userId, email, isEmailVerified: true, client, now })
  }
}
