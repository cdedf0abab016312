import { and, eq, sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Tx } from '#server/db/database.ts'
import { backupCodes, identities, mfaFactors, userRoles, users, webauthnCredentials } from '#server/db/schema/index.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { notifySecurityChange } from '../security/notify-security-change.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientFacts } from '../sessions/client-facts.ts'
import { logOut } from '../sessions/log-out.ts'
import { voidTokens } from './one-time-token.ts'

type User = typeof users.$inferSelect

/** Whether the access that an account had before a mail came back ends with it, and whether the mail makes an admin. */
export type Standing = { endsFormerAccess: boolean; makesAdmin: boolean }

/**
 * Anybody can sign up with anybody's address. Whoever chose password, factors and passkeys before its mailbox answered may
 * be somebody else: they end when the owner comes with a mail that they asked for, and for an address of the operator's
 * with any mail, since its owner's click must never make somebody else's session an admin's. An account with a second
 * step loses it to no mail; it becomes admin by the operator's shell alone.
 */
export async function readStanding(
  tx: Tx,
  config: Pick<Config, 'adminEmails'>,
  given: { user: User; email: string; askedFor: boolean; isProven: boolean },
): Promise<Standing> {
  const { user, email, askedFor, isProven } = given
  if (!config.adminEmails.includes(email)) return { endsFormerAccess: askedFor && !isProven, makesAdmin: false }
  if (!isProven) return { endsFormerAccess: true, makesAdmin: true }
  if (await isAdmin(tx, user.id)) return { endsFormerAccess: false, makesAdmin: true }
  const isGuarded = await hasSecondStep(tx, user.id)
  return { endsFormerAccess: !isGuarded, makesAdmin: !isGuarded }
}

/**
 * Whether the mailbox has ever answered. Where nobody is asked to, an address counts as confirmed without; that is good
 * enough for a reader, and not for an address that makes its holder admin.
 */
export async function isProvenAddress(tx: Tx, config: Pick<Config, 'adminEmails'>, user: User): Promise<boolean> {
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

async function hasSecondStep(tx: Tx, userId: string): Promise<boolean> {
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

/**
 * Ends every way in that somebody had: sessions, keys, and mails under way, a change of address among them. The mailbox
 * that has answered hears of the keys.
 */
export async function endFormerAccess(
  tx: Tx,
  deps: Pick<AuthDeps, 'config' | 'enqueue'>,
  given: { user: User; email: string; client: Pick<ClientFacts, 'ip' | 'userAgent'>; now: Date },
): Promise<void> {
  const { user, email, client, now } = given
  const { id: userId } = user
  await tx
    .update(users)
    .set({ encryptedPassword: null, emailChange: null, emailChangeConfirmStatus: 0, updatedAt: now })
    .where(eq(users.id, userId))
  await logOut(tx, { userId, sessionId: crypto.randomUUID() }, 'global')
  await voidTokens(tx, userId)
  const factors = await tx.delete(mfaFactors).where(eq(mfaFactors.userId, userId)).returning()
  const passkeys = await tx.delete(webauthnCredentials).where(eq(webauthnCredentials.userId, userId)).returning()
  await tx.delete(backupCodes).where(eq(backupCodes.userId, userId))

  const hadFactor = factors.some(({ status }) => status === 'verified')
  const entry = { userId, email, client, note: 'with the proof of the address', now }
  if (hadFactor) await recordSecurityEvent(tx, { event: 'factor_removed', ...entry })
  if (passkeys.length > 0) await recordSecurityEvent(tx, { event: 'passkey_removed', ...entry })
  if (user.encryptedPassword || hadFactor || passkeys.length > 0) {
    const event = 'former_access_ended'
    await notifySecurityChange(tx, deps, { event, userId, email, isProven: true, client, now })
  }
}
