import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { withLinkPages } from '#server/pages/link-pages.ts'
import { AppError } from '#shared/errors.ts'
import { type AuthDeps, readAuthBody } from '../auth-deps.ts'
import { type ClientInfo, clientInfo } from '../sessions/client-info.ts'
import { rememberDevice } from '../sessions/device-cookie.ts'
import { answerSignIn } from '../sessions/session-response.ts'
import { requestedRedirect, resolveRedirect } from './allowed-redirects.ts'
import { findOwnershipPrompt } from './ownership-prompt.ts'
import { otpInput, recover, recoverInput, resend, resendInput, sendOtp } from './request-email.ts'
import { findLink, verify, verifyInput } from './verify.ts'
import { type EmailLink, errorLocation, followLink } from './verify-link.ts'
import { verifyPage, verifyPagePolicy } from './verify-page.ts'

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

/** Verification: an HTML page and a redirect for links, JSON for API calls. */
export const verifyRoutes = (deps: AuthDeps) =>
  new Hono<AppEnv>()
    .get('/verify', (c) =>
      withLinkPages(c, deps.config, async () => {
        await deps.limits.consume('verify', c.var.clientAddress)
        return askToConfirm(deps, c)
      }),
    )
    .post('/verify', async (c) => {
      if (isForm(c)) {
        return withLinkPages(c, deps.config, async () => {
          await deps.limits.consume('verify', c.var.clientAddress)
          return confirmLink(deps, c)
        })
      }
      await deps.limits.consume('verify', c.var.clientAddress)
      const input = await readAuthBody(c, verifyInput)
      const redeemed = await verify(deps, input, await verifyingClient(deps, c))
      if (redeemed.kind !== 'session') {
        return c.json({ code: '200', msg: 'Code accepted. Please proceed to confirm the code sent to the other email' })
      }
      rememberDevice(deps, c, redeemed.opened)
      return c.json(await answerSignIn(deps, redeemed.opened))
    })

/** Adds the bearer's session, for clients without cookies. */
async function verifyingClient(deps: AuthDeps, c: Context<AppEnv>): Promise<ClientInfo> {
  const client = clientInfo(deps, c)
  const authorization = c.req.header('authorization')
  // supabase-js sends its publishable key here, which isn't a JWT.
  if (!authorization?.includes('.')) return client
  const bearer = await deps.readPrincipal(authorization).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
  return bearer ? { ...client, heldSessionIds: [bearer.sessionId, ...client.heldSessionIds] } : client
}

function askToConfirm(deps: AuthDeps, c: Context<AppEnv>) {
  const link = readLink(deps, (name) => c.req.query(name))
  return orRedirect(c, link, async () => {
    const found = await findLink(deps, link.token, link.type)
    const question = await findOwnershipPrompt(deps, found, clientInfo(deps, c))
    c.header('Content-Security-Policy', verifyPagePolicy(link.redirectTo))
    c.header('Referrer-Policy', 'no-referrer')
    return c.html(verifyPage(link, question, deps.config))
  })
}

async function confirmLink(deps: AuthDeps, c: Context<AppEnv>) {
  const form = new URLSearchParams(await c.req.text())
  const link = readLink(deps, (name) => form.get(name) ?? undefined)
  return orRedirect(c, link, async () => {
    const { location, opened } = await followLink(deps, link, clientInfo(deps, c))
    if (opened) rememberDevice(deps, c, opened)
    return c.redirect(location, 303)
  })
}

const isForm = (c: Context) => c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false

function readLink({ config }: AuthDeps, read: (name: string) => string | undefined): EmailLink {
  const [token, type] = [read('token'), read('type')]
  if (!token || !type) throw new AppError('validation_failed', { message: 'Verify requires a token and a type' })
  const rules = { siteUrl: config.publicUrl, allowList: config.auth.redirectAllowList }
  return { token, type, redirectTo: resolveRedirect(rules, read('redirect_to')), choice: readChoice(read('keep')) }
}

function readChoice(keep: string | undefined): EmailLink['choice'] {
  if (keep === 'yes') return 'keep'
  return keep === 'no' ? 'fresh' : null
}

async function orRedirect(c: Context<AppEnv>, link: EmailLink, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof AppError) return c.redirect(errorLocation(link, error), 303)
    throw error
  }
}
