import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { answerSession } from './answer-session.ts'
import type { AuthDeps } from './auth-deps.ts'
import { clientFacts } from './client-facts.ts'
import { rememberDevice } from './device-cookie.ts'
import { exchangeAuthCode, pkceGrantInput } from './exchange-auth-code.ts'
import { logOut, readScope } from './log-out.ts'
import { passwordWeakness, weakPassword } from './password-policy.ts'
import { readAuthBody } from './read-auth-body.ts'
import { refreshGrantInput, refreshSession } from './refresh-session.ts'
import { requestedRedirect } from './requested-redirect.ts'
import { passwordGrantInput, signInWithPassword } from './sign-in.ts'
import { signUp, signUpInput } from './sign-up.ts'

/** Sessions begin, go on and end here. */
export const sessionRoutes = (deps: AuthDeps) =>
  new Hono<AppEnv>()
    .post('/signup', async (c) => {
      await deps.limits.take('signUp', c.var.clientAddress)
      const input = await readAuthBody(c, signUpInput)
      const result = await signUp(deps, input, { client: clientFacts(deps, c), redirectTo: requestedRedirect(deps, c) })
      if ('bareUser' in result) return c.json(result.bareUser)
      rememberDevice(deps, c, result.userId)
      return c.json(await answerSession(deps, result))
    })
    .post('/token', async (c) => {
      const grantType = c.req.query('grant_type')
      await deps.limits.take(grantType === 'refresh_token' ? 'refresh' : 'token', c.var.clientAddress)
      switch (grantType) {
        case 'password':
          return passwordGrant(deps, c)
        case 'refresh_token':
          return c.json(await refreshSession(deps, (await readAuthBody(c, refreshGrantInput)).refresh_token))
        case 'pkce':
          return pkceGrant(deps, c)
        case 'id_token':
          throw new AppError('provider_disabled')
        case 'web3':
          throw new AppError('web3_provider_disabled')
        default:
          throw new AppError('invalid_credentials', { message: 'unsupported_grant_type' })
      }
    })
    .post('/logout', async (c) => {
      const who = await deps.readPrincipal(c.req.header('authorization'))
      await logOut(deps.database.db, who, readScope(c.req.query('scope')))
      return c.body(null, 204)
    })

async function passwordGrant(deps: AuthDeps, c: Context<AppEnv>) {
  const input = await readAuthBody(c, passwordGrantInput)
  const opened = await signInWithPassword(deps, input, clientFacts(deps, c))
  rememberDevice(deps, c, opened.userId)
  const reasons = passwordWeakness(input.password ?? '')
  const session = await answerSession(deps, opened)
  return c.json(reasons.length > 0 ? { ...session, weak_password: weakPassword(reasons) } : session)
}

async function pkceGrant(deps: AuthDeps, c: Context<AppEnv>) {
  const input = await readAuthBody(c, pkceGrantInput)
  const opened = await exchangeAuthCode(deps, input, clientFacts(deps, c))
  rememberDevice(deps, c, opened.userId)
  return c.json(await answerSession(deps, opened))
}
