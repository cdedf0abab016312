import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { readAuthBody } from '../read-auth-body.ts'
import { requireWholeSession } from '../security/require-whole-session.ts'
import { answerSession } from '../sessions/answer-session.ts'
import { clientFacts } from '../sessions/client-facts.ts'
import { readCaller } from '../sessions/read-caller.ts'
import { challengeFactor, challengeInput } from './challenge-factor.ts'
import { enrollFactor, enrollInput } from './enroll-factor.ts'
import { removeFactor } from './remove-factor.ts'
import { verifyFactor, verifyFactorInput } from './verify-factor.ts'

/** Second factors: six digits of an authenticator app or of a text message, or a security key. */
export function factorRoutes(deps: AuthDeps) {
  const requireAccount = async (c: Context<AppEnv>) => {
    const who = await readCaller(deps, c)
    if (who.isAnonymous) throw new AppError('no_authorization', { status: 403 })
    return who
  }
  return new Hono<AppEnv>()
    .post('/factors', async (c) => {
      const who = await requireAccount(c)
      requireWholeSession(who)
      return c.json(await enrollFactor(deps, who, await readAuthBody(c, enrollInput)))
    })
    .post('/factors/:id/challenge', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('factor', c.var.clientAddress)
      const input = await readAuthBody(c, challengeInput)
      return c.json(await challengeFactor(deps, who, c.req.param('id'), { input, client: clientFacts(deps, c) }))
    })
    .post('/factors/:id/verify', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('factor', c.var.clientAddress)
      const input = await readAuthBody(c, verifyFactorInput)
      const opened = await verifyFactor(deps, who, c.req.param('id'), { input, client: clientFacts(deps, c) })
      return c.json(await answerSession(deps, opened))
    })
    .delete('/factors/:id', async (c) => {
      const who = await requireAccount(c)
      return c.json(await removeFactor(deps, who, c.req.param('id'), clientFacts(deps, c)))
    })
}
