import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { sessions, trustedDevices } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'

export type LogOutScope = 'global' | 'local' | 'others'

export function readScope(given: string | undefined): LogOutScope {
  const scope = given || 'global'
  if (scope === 'global' || scope === 'local' || scope === 'others') return scope
  throw new AppError('validation_failed', { message: 'Unsupported logout scope' })
}

/**
 * Deletes sessions with their refresh tokens. Their access tokens stop working immediately. Signing out elsewhere also ends
 * the trust in devices, except the one that this session relies on.
 */
export async function logOut(
  db: Db | Tx,
  who: { userId: string; sessionId: string },
  scope: LogOutScope,
): Promise<void> {
  const mine = eq(sessions.userId, who.userId)
  const which = {
    global: mine,
    local: and(mine, eq(sessions.id, who.sessionId)),
    others: and(mine, ne(sessions.id, who.sessionId)),
  }
  if (scope !== 'local') {
    const own = db.select({ id: sessions.trustedDeviceId }).from(sessions).where(which.local)
    const others = scope === 'others' ? sql`${trustedDevices.id} is distinct from ${own}` : undefined
    await db.delete(trustedDevices).where(and(eq(trustedDevices.userId, who.userId), others))
  }
  await db.delete(sessions).where(which[scope])
}
