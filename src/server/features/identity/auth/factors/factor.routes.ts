import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { rememberDevice } from '../sessions/device-cookie.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { answerSignIn } from '../sessions/session-response.ts'
import { trustDevice } from '../sessions/trusted-devices.ts'
import { challengeFactor, challengeInput, verifyFactor, verifyFactorInput } from './challenge-and-verify.ts'
import { enrollFactor, enrollInput, unenrollFactor } from './enroll-factor.ts'

/** Second factors: authenticator apps, phones, security keys and the trust in a device. */
export function factorRoutes(deps: AuthDeps) {
  const requireAccount = async (c: Context<AppEnv>) => {
    const who = await readCaller(deps, c)
    if (who.isAnonymous) throw new AppError('no_authorization', { status: 403 })
    return who
  }
  return (
    new Hono<AppEnv>()
      .post('/factors', async (c) => {
        const who = await requireAccount(c)
        requireMfaCompleted(who)
        return c.json(await enrollFactor(deps, who, await readAuthBody(c, enrollInput)))
      })
      .post('/factors/:id/challenge', async (c) => {
        const who = await requireAccount(c)
        await deps.limits.consume('factor', c.var.clientAddress)
        const input = await readAuthBody(c, challengeInput)
        return c.json(await challengeFactor(deps, who, c.req.param('id'), { input, client: clientInfo(deps, c) }))
      })
      .post('/factors/:id/verify', async (c) => {
        const who = await requireAccount(c)
        await deps.limits.consume('factor', c.var.clientAddress)
        const input = await readAuthBody(c, verifyFactorInput)
        const opened = await verifyFactor(deps, who, c.req.param('id'), { input, client: clientInfo(deps, c) })
        return c.json(await answerSignIn(deps, opened))
      })
      // Ours, not part of auth-js. Under /auth/v1, where browsers send the device cookie.
      .post('/trusted-device', async (c) => {
        const who = await requireAccount(c)
        await deps.limits.consume('factor', c.var.clientAddress)
        const trustedId = await trustDevice(deps, who, clientInfo(deps, c))
        rememberDevice(deps, c, { ...who, trustedId })
        return c.body(null, 204)
      })
      .delete('/factors/:id', async (c) => {
        const who = await requireAccount(c)
        return c.json(await unenrollFactor(deps, who, c.req.param('id'), clientInfo(deps, c)))
      })
  )
}
