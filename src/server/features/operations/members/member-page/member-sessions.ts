import { and, eq } from 'drizzle-orm'
import { sessions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { endConnections } from '#server/features/identity/auth/oauth/end-connections.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { lockPresentUser } from '#server/features/identity/auth/users/lock-user.ts'
import { deviceName } from '#shared/domain/device-name.ts'

/**
 * Ends one session of a member, or all of them with their connections; their tokens fail from the next request on. The member sees it in their account.
 * @throws AppError not_found
 */
export function endMemberSessions(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  who: Actor,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<{ ended: number }> {
  return database.db.transaction(async (tx) => {
    const { email } = await lockPresentUser(tx, userId)
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), sessionId === null ? undefined : eq(sessions.id, sessionId)))
      .returning({ userAgent: sessions.userAgent })
    if (sessionId === null) await endConnections(tx, userId)
    if (ended.length === 0) return { ended: 0 }
    const devices = [...new Set(ended.map(({ userAgent }) => deviceName(userAgent)))].filter(Boolean).join(', ')
    await recordAdminEvent(tx, who, {
      event: 'member_sessions_ended',
      about: { userId, email: email ?? '' },
      changes: [{ field: 'sessions', before: String(ended.length), after: '0' }],
      note: devices || undefined,
      now: clock(),
    })
    return { ended: ended.length }
  })
}
