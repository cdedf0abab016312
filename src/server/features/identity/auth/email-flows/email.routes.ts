import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { readAuthBody } from '../read-auth-body.ts'
import { clientInfo } from '../sessions/client-info.ts'
import { requestedRedirect } from './allowed-redirects.ts'
import { otpInput, recover, recoverInput, resend, resendInput, sendOtp } from './request-email.ts'

/** Endpoints that request an email. */
export function emailRoutes(deps: AuthDeps) {
  const otp = async (c: Context<AppEnv>) => {
    const request = await prepare(c)
    await sendOtp(deps, await readAuthBody(c, otpInput), request)
    return c.json({})
  }
  const prepare = async (c: Context<AppEnv>) => {
    await deps.limits.consume('mail', c.var.clientAddress)
    return { redirectTo: requestedRedirect(deps, c), client: clientInfo(deps, c) }
  }
  return new Hono<AppEnv>()
    .post('/recover', async (c) => {
      const request = await prepare(c)
      await recover(deps, await readAuthBody(c, recoverInput), request)
      return c.json({})
    })
    .post('/resend', async (c) => {
      const request = await prepare(c)
      await resend(deps, await readAuthBody(c, resendInput), request)
      return c.json({})
    })
    .post('/otp', otp)
    .post('/magiclink', otp)
}
