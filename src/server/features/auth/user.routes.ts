import { Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { createVerifyBearer } from './access-token.ts'
import type { AuthDeps } from './auth-deps.ts'
import { readAuthBody } from './read-auth-body.ts'
import { requestedRedirect } from './requested-redirect.ts'
import { findUserBehind, requireLiveSession } from './session-row.ts'
import { updateUser, updateUserInput } from './update-user.ts'
import { toWireUser } from './wire-user.ts'

export function userRoutes(deps: AuthDeps) {
  const verifyBearer = createVerifyBearer(deps)
  return (
    new Hono<AppEnv>()
      // One read answers and checks at once: clients ask for the user with each page they load.
      .get('/user', async (c) => {
        const { userId, sessionId } = await verifyBearer(c.req.header('authorization'))
        const row = await findUserBehind(deps.database, userId, sessionId)
        return c.json(toWireUser(requireLiveSession(row, deps.clock())))
      })
      .put('/user', async (c) => {
        const who = await deps.readPrincipal(c.req.header('authorization'))
        await deps.limits.take('updateUser', c.var.clientAddress)
        const input = await readAuthBody(c, updateUserInput)
        return c.json(await updateUser(deps, who, input, { redirectTo: requestedRedirect(deps, c) }))
      })
  )
}
