import { desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { knownAddresses, sessions } from '#server/db/schema/index.ts'
import type { PersonReaders } from '#server/feature.ts'
import { notStaffOnly, ofUser, readSecurityLog } from '#server/features/identity/auth/security/security-event.ts'

/** Far more than an account collects before old entries are deleted. */
const maxEvents = 10_000

export const exportedSignIn: PersonReaders = {
  sessions: (tx, userId) =>
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
  securityEvents: readEvents,
  knownIpAddresses: readKnownIpAddresses,
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
