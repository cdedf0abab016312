import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { users } from '#server/db/schema/index.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { rememberSignInAddress } from '../limits/known-ip-addresses.ts'
import { ProtocolError } from '../protocol-error.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import type { ClientInfo } from './client-info.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { redeemAuthCode } from './pkce-flow.ts'
import { isBanned } from './session-row.ts'

const bothRequired = 'invalid request: both auth code and code verifier should be non-empty'

export const pkceGrantInput = z.object({
  auth_code: z.string({ error: bothRequired }).min(1, bothRequired),
  code_verifier: z.string({ error: bothRequired }).min(1, bothRequired),
})

/**
 * Exchanges the auth code of a redirect for a session (PKCE).
 * @throws ProtocolError flow_state_not_found, flow_state_expired, bad_code_verifier
 */
export async function exchangeAuthCode(
  deps: AuthDeps,
  input: z.output<typeof pkceGrantInput>,
  client: ClientInfo,
): Promise<IssuedSession> {
  const now = deps.clock()
  const outcome = await deps.database.db.transaction(async (tx) => {
    const flow = await redeemAuthCode(tx, { authCode: input.auth_code, verifier: input.code_verifier, now })
    if (flow instanceof ProtocolError) return flow
    const [user] = await tx.select().from(users).where(eq(users.id, flow.userId))
    if (!user || user.deletedAt) return new ProtocolError('flow_state_not_found')
    if (isBanned({ banned_until: user.bannedUntil }, now)) return new AppError('user_banned', { status: 400 })
    const opened = await createSession(tx, { userId: user.id, method: flow.kind, client, now })
    await rememberSignInAddress(tx, { userId: user.id, client, now })
    await recordSecurityEvent(tx, { event: 'signed_in', userId: user.id, email: user.email ?? '', client, now })
    return opened
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}
