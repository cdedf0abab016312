import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { requestedRedirect } from '../email-flows/allowed-redirects.ts'
import { passwordWeakness, weakPassword } from '../passwords/password-policy.ts'
import { requireMfaCompleted } from '../security/require-mfa-completed.ts'
import { recordSecurityEvent } from '../security/security-event.ts'
import { passwordGrantInput, signInWithPassword } from '../users/sign-in.ts'
import { signUp, signUpInput } from '../users/sign-up.ts'
import { clientInfo } from './client-info.ts'
import { rememberDevice } from './device-cookie.ts'
import { logOut, readScope } from './log-out.ts'
import { readCaller } from './read-caller.ts'
import { exchangeAuthCode, pkceGrantInput, refreshGrantInput, refreshSession } from './refresh-session.ts'
import { answerSignIn } from './session-response.ts'

/** Sign-up, sign-in, refresh and sign-out. */
export const sessionRoutes = (deps: AuthDeps) =>
  new Hono<AppEnv>()
    .post('/signup', async (c) => {
      await deps.limits.consume('signUp', c.var.clientAddress)
      const input = await readAuthBody(c, signUpInput)
      const result = await signUp(deps, input, { client: clientInfo(deps, c), redirectTo: requestedRedirect(deps, c) })
      if ('bareUser' in result) return c.json(result.bareUser)
      rememberDevice(deps, c, result)
      return c.json(await answerSignIn(deps, result))
    })
    .post('/token', async (c) => {
      const grantType = c.req.query('grant_type')
      await deps.limits.consume(grantType === 'refresh_token' ? 'refresh' : 'token', c.var.clientAddress)
      switch (grantType) {
        case 'password':
          return passwordGrant(deps, c)
        case 'refresh_token':
          return refreshGrant(deps, c)
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
      const who = await readCaller(deps, c)
      const requestedScope = readScope(c.req.query('scope'))
      if (requestedScope === 'others') requireMfaCompleted(who)
      // A session that awaits its second factor can only sign itself out.
      const scope = who.awaitsSecondFactor ? 'local' : requestedScope
      const entry = { userId: who.userId, email: who.email, client: clientInfo(deps, c), now: deps.clock() }
      await deps.database.db.transaction(async (tx) => {
        await logOut(tx, who, scope)
        await recordSecurityEvent(tx, { event: 'signed_out', ...entry, note: scope })
      })
      return c.body(null, 204)
    })

async function passwordGrant(deps: AuthDeps, c: Context<AppEnv>) {
  const input = await readAuthBody(c, passwordGrantInput)
  const opened = await signInWithPassword(deps, input, clientInfo(deps, c))
  rememberDevice(deps, c, opened)
  const policy = deps.config.auth.password
  const reasons = passwordWeakness(deps.config, input.password ?? '', input.email ?? '')
  const session = await answerSignIn(deps, opened)
  return c.json(reasons.length > 0 ? { ...session, weak_password: weakPassword(policy, reasons) } : session)
}

async function refreshGrant(deps: AuthDeps, c: Context<AppEnv>) {
  const { refresh_token: token } = await readAuthBody(c, refreshGrantInput)
  return c.json(await refreshSession(deps, token, () => clientInfo(deps, c)))
}

async function pkceGrant(deps: AuthDeps, c: Context<AppEnv>) {
  const input = await readAuthBody(c, pkceGrantInput)
  const opened = await exchangeAuthCode(deps, input, clientInfo(deps, c))
  rememberDevice(deps, c, opened)
  return c.json(await answerSignIn(deps, opened))
}
