import type { AuthDeps } from '../auth-deps.ts'
import { toWireUser } from '../users/user-response.ts'
import { signAccessToken } from './access-token.ts'
import type { IssuedSession } from './create-session.ts'
import { findSession, requireLiveSession, type SessionRow } from './session-row.ts'

type AnswerDeps = Pick<AuthDeps, 'config' | 'database' | 'secrets' | 'clock'>

export type WireSession = Awaited<ReturnType<typeof toWireSession>>

/** The response to a sign-in, with what other features do for the person before it. */
export async function answerSignIn(deps: AnswerDeps & Pick<AuthDeps, 'onSignedIn'>, opened: IssuedSession) {
  await deps.onSignedIn(opened)
  return createSessionResponse(deps, opened)
}

/** Reads a new or updated session and builds the API's session response. */
export async function createSessionResponse(deps: AnswerDeps, { userId, sessionId, refreshToken }: IssuedSession) {
  const row = await findSession(deps.database, userId, sessionId)
  return toWireSession(deps, requireLiveSession(row, deps.clock()), refreshToken)
}

export async function toWireSession(deps: AnswerDeps, row: SessionRow, refreshToken: string) {
  const { token, expiresIn, expiresAt } = await signAccessToken(deps, row)
  return {
    access_token: token,
    token_type: 'bearer' as const,
    expires_in: expiresIn,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: toWireUser(row),
  }
}
