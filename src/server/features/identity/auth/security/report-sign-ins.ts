import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { reportEvent } from '#server/monitoring/events.ts'

/** Tells monitoring about each attempt to sign in, by method and error code. */
export const reportSignIns: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  const method = signInMethod(c)
  if (method) reportEvent('signIn', { method, outcome: outcomeOf(c.res) })
}

function signInMethod({ req }: Context<AppEnv>): string | null {
  if (req.method !== 'POST') return null
  const path = req.path.slice('/auth/v1'.length)
  if (path === '/token') {
    const grantType = req.query('grant_type')
    return grantType === 'password' || grantType === 'pkce' ? grantType : null
  }
  if (path === '/signup') return 'sign_up'
  if (path === '/verify') return 'email'
  if (path === '/passkeys/authentication/verify') return 'passkey'
  return /^\/factors\/[^/]+\/verify$/.test(path) ? 'second_factor' : null
}

/** Links answer with a redirect whose address has the error code. */
function outcomeOf({ status, headers }: Response): string {
  const code = headers.get('x-sb-error-code') ?? /[#&?]error_code=([a-z_]+)/.exec(headers.get('location') ?? '')?.[1]
  return code ?? (status < 400 ? 'ok' : 'refused')
}
