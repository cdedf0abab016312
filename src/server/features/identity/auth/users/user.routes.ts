import { Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { requestedRedirect } from '../email-flows/allowed-redirects.ts'
import { sendReauthenticationNonce } from '../email-flows/change-email.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { createVerifyBearer } from '../sessions/access-token.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { findUserWithSession, requireLiveSession } from '../sessions/session-row.ts'
import { updateUser, updateUserInput } from './update-user.ts'
import { toWireUser } from './user-response.ts'

export function userRoutes(deps: AuthDeps) {
  const verifyBearer = createVerifyBearer(deps)
  return (
    new Hono<AppEnv>()
      // Hot path: clients request the user on each page load, so one read checks and answers.
      .get('/user', async (c) => {
        const { userId, sessionId } = await verifyBearer(c.req.header('authorization'))
        const row = await findUserWithSession(deps.database, userId, sessionId)
        return c.json(toWireUser(requireLiveSession(row, deps.clock())))
      })
      .put('/user', async (c) => {
        const who = await readCaller(deps, c)
        requireMfaCompleted(who, 401)
        await deps.limits.consume('updateUser', c.var.clientAddress)
        const input = await readAuthBody(c, updateUserInput)
        const request = { redirectTo: requestedRedirect(deps, c), client: clientInfo(deps, c) }
        return c.json(await updateUser(deps, who, input, request))
      })
      // The protocol uses GET here. It requires a bearer, so following a link can't trigger it.
      .get('/reauthenticate', async (c) => {
        const who = await readCaller(deps, c)
        requireMfaCompleted(who)
        await deps.limits.consume('mail', c.var.clientAddress)
        await sendReauthenticationNonce(deps, who)
        return c.json({})
      })
  )
}
