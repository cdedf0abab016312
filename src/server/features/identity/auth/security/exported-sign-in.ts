import { desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import {
  backupCodes,
  knownAddresses,
  mfaFactors,
  sessions,
  trustedDevices,
  webauthnCredentials,
} from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { notStaffOnly, ofUser, readSecurityLog } from '#server/features/identity/auth/security/security-log.ts'

/** Far more than an account collects before old entries are deleted. */
const maxEvents = 10_000

export const exportedSignIn: ExportParts = {
  sessions: {
    tables: ['auth.sessions', 'auth.mfa_amr_claims'],
    read: (tx, userId) =>
      tx
        .select({
          id: sessions.id,
          userAgent: sessions.userAgent,
          ip: sessions.ip,
          assuranceLevel: sessions.aal,
          methods: sql<string[]>`array(select a.authentication_method from auth.mfa_amr_claims a
            where a.session_id = auth.sessions.id order by 1)`,
          startedAt: sessions.createdAt,
          lastUsedAt: sessions.updatedAt,
          endsAt: sessions.notAfter,
        })
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.createdAt)),
  },
  mfaFactors: {
    tables: ['auth.mfa_factors'],
    read: (tx, userId) =>
      tx
        .select({
          type: mfaFactors.factorType,
          status: mfaFactors.status,
          name: mfaFactors.friendlyName,
          phone: mfaFactors.phone,
          createdAt: mfaFactors.createdAt,
          lastUsedAt: mfaFactors.lastChallengedAt,
        })
        .from(mfaFactors)
        .where(eq(mfaFactors.userId, userId)),
  },
  passkeys: {
    tables: ['auth.webauthn_credentials'],
    read: (tx, userId) =>
      tx
        .select({
          name: webauthnCredentials.friendlyName,
          transports: webauthnCredentials.transports,
          backedUp: webauthnCredentials.backedUp,
          createdAt: webauthnCredentials.createdAt,
          lastUsedAt: webauthnCredentials.lastUsedAt,
        })
        .from(webauthnCredentials)
        .where(eq(webauthnCredentials.userId, userId)),
  },
  backupCodes: {
    tables: ['auth.backup_codes'],
    read: (tx, userId) =>
      tx
        .select({ createdAt: backupCodes.createdAt, usedAt: backupCodes.usedAt })
        .from(backupCodes)
        .where(eq(backupCodes.userId, userId)),
  },
  trustedDevices: {
    tables: ['auth.trusted_devices'],
    read: (tx, userId) =>
      tx
        .select({
          userAgent: trustedDevices.userAgent,
          trustedAt: trustedDevices.createdAt,
          trustedUntil: trustedDevices.expiresAt,
        })
        .from(trustedDevices)
        .where(eq(trustedDevices.userId, userId)),
  },
  securityEvents: { tables: ['auth.audit_log_entries'], read: readEvents },
  knownIpAddresses: { tables: ['auth.known_addresses'], read: readKnownIpAddresses },
}

/** Omits the device and IP address of an admin's action: they belong to the admin. */
async function readEvents(tx: Tx, userId: string) {
  const events = await readSecurityLog(tx, { where: [ofUser(userId), notStaffOnly], limit: maxEvents })
  return events.map(({ at, event, email, by, device, ip, note }) => ({
    at,
    event,
    email,
    by: by ? 'the publisher' : 'you',
    device: by ? '' : device,
    ip: by ? '' : ip,
    note,
  }))
}

/** IP addresses the account signed in from, and those where it completed two-step verification. */
async function readKnownIpAddresses(tx: Tx, userId: string) {
  const rows = await tx.select().from(knownAddresses).where(eq(knownAddresses.userId, userId))
  return rows.map(({ ip, kind, expiresAt }) => ({ ip, passedMfa: kind === 'mfa', rememberedUntil: expiresAt }))
}
