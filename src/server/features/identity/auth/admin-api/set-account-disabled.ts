import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { flowState, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { AppError } from '#shared/errors.ts'
import { revokeTokens } from '../email-flows/one-time-token.ts'
import { endConnections } from '../oauth/end-connections.ts'
import { notifySecurityChange } from '../security/security-event.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import { logOut } from '../sessions/log-out.ts'
import { isBanned } from '../sessions/session-row.ts'
import { revokeStaffInvitationsBy } from '../users/staff-roles.ts'

const accountStatusChange = (disabled: boolean) =>
  disabled
    ? { field: 'account', before: 'enabled', after: 'disabled' }
    : { field: 'account', before: 'disabled', after: 'enabled' }

/** In the protocol, a disabled account is banned until a date. */
const indefinitely = new Date('9999-12-31T00:00:00Z')

export type AccountDisabledChange = {
  userId: string
  disabled: boolean
  /** The admin's address. */
  by: string
  actorId?: string
  reason?: string | null
  client: Pick<ClientInfo, 'ip' | 'userAgent'>
  now: Date
}

/**
 * Disables or enables an account. Disabling ends its sessions and connections, and revokes its emailed links and codes, and the
 * invitations that it sent to the staff. Without a change, nothing is recorded or sent.
 * @throws AppError not_found
 */
export async function setAccountDisabled(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'enqueue'>,
  { userId, disabled, by, actorId, reason, client, now }: AccountDisabledChange,
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || user.deletedAt) throw new AppError('not_found')
  if (isBanned({ banned_until: user.bannedUntil }, now) === disabled) return
  await tx
    .update(users)
    .set({ bannedUntil: disabled ? indefinitely : null, updatedAt: now })
    .where(eq(users.id, userId))
  if (disabled) {
    await logOut(tx, { userId, sessionId: '' }, 'global')
    await revokeTokens(tx, userId)
    await endConnections(tx, userId)
    await revokeStaffInvitationsBy(tx, userId)
    await tx.delete(flowState).where(eq(flowState.userId, userId))
  }
  await notifySecurityChange(tx, deps, {
    event: disabled ? 'account_disabled' : 'account_enabled',
    userId,
    email: user.email ?? '',
    by,
    actorId,
    changes: [accountStatusChange(disabled)],
    ...(reason && { note: reason }),
    client,
    now,
  })
}
