import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { answerSession } from './answer-session.ts'
import type { AuthDeps } from './auth-deps.ts'
import { challengeFactor } from './challenge-factor.ts'
import { clientFacts } from './client-facts.ts'
import { enrollFactor, enrollInput } from './enroll-factor.ts'
import { readAuthBody } from './read-auth-body.ts'
import { removeFactor } from './remove-factor.ts'
import { verifyFactor, verifyFactorInput } from './verify-factor.ts'

/** Second factors: six digits of an authenticator app. */
export function factorRoutes(deps: AuthDeps) {
  const requireAccount = async (c: Context<AppEnv>) => {
    const who = await deps.readPrincipal(c.req.header('authorization'))
    if (who.isAnonymous) throw new AppError('no_authorization', { status: 403 })
    return who
  }
  return new Hono<AppEnv>()
    .post('/factors', async (c) => {
      const who = await requireAccount(c)
      return c.json(await enrollFactor(deps, who, await readAuthBody(c, enrollInput)))
    })
    .post('/factors/:id/challenge', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('factor', c.var.clientAddress)
      return c.json(await challengeFactor(deps, who.userId, c.req.param('id'), clientFacts(deps, c)))
    })
    .post('/factors/:id/verify', async (c) => {
      const who = await requireAccount(c)
      await deps.limits.take('factor', c.var.clientAddress)
      const input = await readAuthBody(c, verifyFactorInput)
      return c.json(await answerSession(deps, await verifyFactor(deps, who, c.req.param('id'), input)))
    })
    .delete('/factors/:id', async (c) => c.json(await removeFactor(deps, await requireAccount(c), c.req.param('id'))))
}
