import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { sessions, trustedDevices } from '#server/db/schema/index.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { readStepUp } from '../security/step-up.ts'
import { lockUser } from '../users/lock-user.ts'
import type { ClientInfo } from './client-info.ts'

const lifetimeMs = 30 * 24 * 60 * 60_000
/** Per account. The oldest lose the trust. */
const maxDevices = 10

type TrustDeps = Pick<AuthDeps, 'config' | 'database' | 'clock'>

/**
 * Trusts this device for 30 days: there, a password signs in without the second factor. Sensitive settings still ask for it.
 * Trusting again extends it under a new id, so that a copy of the earlier cookie ends with its sessions.
 * @returns the id for the device cookie, the only proof of the trust
 * @throws AppError insufficient_aal if the session hasn't verified a second factor; reauthentication_needed if not recently
 */
export async function trustDevice(deps: TrustDeps, who: Principal, client: ClientInfo): Promise<string> {
  if (who.aal !== 'aal2') throw new AppError('insufficient_aal', { status: 403, message: 'AAL2 session is required' })
  const { hasFactor, validUntil } = await readStepUp(deps, who)
  if (!hasFactor || !validUntil) throw new AppError('reauthentication_needed')
  const { userId } = who
  const now = deps.clock()
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  return deps.database.db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const id = crypto.randomUUID()
    await tx.insert(trustedDevices).values({ id, userId, userAgent: client.userAgent, createdAt: now, expiresAt })
    const former = client.device?.trusted[userId]
    if (former) {
      await tx
        .update(sessions)
        .set({ trustedDeviceId: id })
        .where(and(eq(sessions.id, who.sessionId), eq(sessions.trustedDeviceId, former)))
      await tx.delete(trustedDevices).where(and(eq(trustedDevices.id, former), eq(trustedDevices.userId, userId)))
    }
    await dropOldest(tx, userId)
    await recordSecurityEvent(tx, { event: 'device_trusted', userId, email: who.email, client, now })
    return id
  })
}

async function dropOldest(tx: Tx, userId: string): Promise<void> {
  const surplus = tx
    .select({ id: trustedDevices.id })
    .from(trustedDevices)
    .where(eq(trustedDevices.userId, userId))
    .orderBy(desc(trustedDevices.expiresAt))
    .offset(maxDevices)
  await tx.delete(trustedDevices).where(inArray(trustedDevices.id, surplus))
}

/** The account's trusted devices, the one trusted last first. */
export async function listTrustedDevices({ database, clock }: Pick<AuthDeps, 'database' | 'clock'>, userId: string) {
  const rows = await database.db
    .select()
    .from(trustedDevices)
    .where(and(eq(trustedDevices.userId, userId), gt(trustedDevices.expiresAt, clock())))
    .orderBy(desc(trustedDevices.expiresAt))
  return rows.map(({ id, userAgent, expiresAt }) => ({
    id,
    device: deviceName(userAgent),
    until: expiresAt.toISOString(),
  }))
}

/** Ends the trust in a device and the sessions that rely on it. Unknown ids and other users' ids are ignored. */
export async function endDeviceTrust(
  { database, clock }: Pick<AuthDeps, 'database' | 'clock'>,
  who: Caller,
  id: string,
): Promise<{ ended: boolean }> {
  return database.db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(trustedDevices)
      .where(and(eq(trustedDevices.id, id), eq(trustedDevices.userId, who.userId)))
      .returning({ userAgent: trustedDevices.userAgent })
    if (!ended) return { ended: false }
    await recordSecurityEvent(tx, {
      event: 'device_trust_ended',
      userId: who.userId,
      email: who.email,
      client: who.client,
      note: deviceName(ended.userAgent),
      now: clock(),
    })
    return { ended: true }
  })
}
