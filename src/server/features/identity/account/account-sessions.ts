import { and, eq, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { sessions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import type { PasswordHasher } from '#server/features/identity/auth/passwords/password-hasher.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { listSessionsOf } from '#server/features/identity/auth/sessions/list-sessions.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import type { listSessionsCall } from '#shared/contracts/identity/account-security.ts'
import { deviceName } from '#shared/domain/device-name.ts'

export type AccountDeps = Deps & { hasher: PasswordHasher }

/** The account's unexpired sessions: the current one first, then by last use. */
export async function listSessions(
  { database, clock }: Pick<AccountDeps, 'database' | 'clock'>,
  { userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>,
): Promise<z.input<typeof listSessionsCall.output>> {
  const found = await listSessionsOf(database, userId, sessionId, clock())
  return { sessions: found.map((session) => ({ ...session, current: session.id === sessionId })) }
}

/**
 * Ends another session of the account; its tokens fail from the next request on. Unknown ids, other users' ids and the
 * current session are ignored, with the same response.
 */
export async function endSession(
  { database, clock }: Pick<AccountDeps, 'database' | 'clock'>,
  who: Caller,
  id: string,
): Promise<{ ended: boolean }> {
  return database.db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, who.userId), ne(sessions.id, who.sessionId)))
      .returning({ userAgent: sessions.userAgent })
    if (!ended) return { ended: false }
    await recordSecurityEvent(tx, {
      event: 'session_ended',
      userId: who.userId,
      email: who.email,
      client: who.client,
      note: deviceName(ended.userAgent),
      now: clock(),
    })
    return { ended: true }
  })
}
