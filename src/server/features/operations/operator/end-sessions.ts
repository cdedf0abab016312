import { and, eq, isNull } from 'drizzle-orm'
import {
  flowState,
  oauthAuthorizations,
  oauthConsents,
  oneTimeTokens,
  sessions,
  users,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { revokeTokens } from '#server/features/identity/auth/email-flows/one-time-token.ts'
import { endConnections } from '#server/features/identity/auth/oauth/end-connections.ts'
import { recordSecurityEvent } from '#server/features/identity/auth/security/security-event.ts'
import { logOut } from '#server/features/identity/auth/sessions/log-out.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'

type SessionDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Signs a user out everywhere, ends their connections, and revokes emailed links and codes.
 * @throws OperatorError
 */
export async function signOutUser({ database, clock }: SessionDeps, given: string): Promise<void> {
  const email = normalizeEmail(given)
  await database.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt)))
      .for('update')
    if (!user) throw new OperatorError(`There is no account with the address ${email}.`)
    const open = await tx.$count(sessions, eq(sessions.userId, user.id))
    await logOut(tx, { userId: user.id, sessionId: '' }, 'global')
    await revokeTokens(tx, user.id)
    await endConnections(tx, user.id)
    await tx.delete(flowState).where(eq(flowState.userId, user.id))
    const changes = changesBetween({ sessions: open }, { sessions: 0 })
    await recordSecurityEvent(tx, {
      event: 'signed_out',
      userId: user.id,
      email,
      by: 'operator',
      changes,
      now: clock(),
    })
  })
}

/**
 * Signs everyone out, for use after the database or SECRET_KEY may have leaked.
 * @returns the number of sessions ended
 */
export async function signOutEveryone({ database, clock }: SessionDeps): Promise<number> {
  return database.db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).returning({ id: sessions.id })
    await tx.delete(oneTimeTokens)
    await tx.delete(oauthAuthorizations)
    await tx.delete(oauthConsents)
    await tx.delete(flowState)
    await recordSecurityEvent(tx, {
      event: 'signed_out',
      userId: null,
      email: '',
      by: 'operator',
      note: 'everyone',
      changes: changesBetween({ sessions: ended.length }, { sessions: 0 }),
      now: clock(),
    })
    return ended.length
  })
}
