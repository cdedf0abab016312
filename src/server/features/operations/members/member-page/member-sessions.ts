import { and, eq } from 'drizzle-orm'
import { sessions, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { deviceName } from '#shared/domain/device-name.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Ends one session of a member, or all; their tokens fail from the next request on. The member sees it in their account.
 * @throws AppError not_found
 */
export function endMemberSessions(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  who: Actor,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<{ ended: number }> {
  return database.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ email: users.email, deletedAt: users.deletedAt })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update')
    if (!user || user.deletedAt) throw new AppError('not_found')
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), sessionId === null ? undefined : eq(sessions.id, sessionId)))
      .returning({ userAgent: sessions.userAgent })
    if (ended.length === 0) return { ended: 0 }
    const devices = [...new Set(ended.map(({ userAgent }) => deviceName(userAgent)))].filter(Boolean).join(', ')
    await recordAdminEvent(tx, who, {
      event: 'member_sessions_ended',
      about: { userId, email: user.email ?? '' },
      changes: [{ field: 'sessions', before: String(ended.length), after: '0' }],
      note: devices || undefined,
      now: clock(),
    })
    return { ended: ended.length }
  })
}
