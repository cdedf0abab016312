import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FeatureDeps } from '#server/feature.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { callerInfo } from '#server/features/identity/auth/sessions/client-info.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { dropDefaultHeader, setDefaultHeader } from '#server/http/default-header.ts'
import { dropDocumentHeaders } from '#server/http/security-headers.ts'
import { linkPagePolicy, withLinkPages } from '#server/pages/link-pages.ts'
import type { Markup } from '#server/pages/page-layout.ts'
import { AppError } from '#shared/errors.ts'
import {
  brokenLinkPage,
  checkInboxPage,
  confirmedPage,
  confirmPage,
  embeddedForm,
  freeStyles,
  signUpPage,
} from './free-pages.ts'
import { confirmFreeEdition, readRequest, requestFreeEdition } from './subscribe.ts'

type PageContext = Context<AppEnv>

/** Signing up for the free edition: pages and forms that work without a script. */
export function freeEditionRoutes(deps: FeatureDeps) {
  const look = { sandbox: deps.config.mode === 'sandbox' }
  const limits = createIpRateLimits(deps)

  const answer = (c: PageContext, page: Markup, status: ContentfulStatusCode = 200) => {
    c.header('Content-Security-Policy', linkPagePolicy("'self'"))
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-store')
    return c.html(page, status)
  }

  return new Hono<AppEnv>()
    .get('/free', (c) => answer(c, signUpPage({}, look)))
    .post('/free', (c) =>
      withLinkPages(c, look.sandbox, async () => {
        await limits.consume('signUp', c.var.clientAddress)
        const given = await readField(c, 'email')
        const email = validEmail(given)
        if (!email) {
          const problem = 'Enter an email address such as ana@example.com.'
          return answer(c, signUpPage({ email: given.slice(0, 254), problem }, look), 422)
        }
        await requestFreeEdition(deps, email)
        return answer(c, checkInboxPage(email, look))
      }),
    )
    .get('/free/confirm', (c) => {
      const token = c.req.query('token') ?? ''
      const request = readRequest(deps, token)
      return request
        ? answer(c, confirmPage({ email: request.email, token }, look))
        : answer(c, brokenLinkPage(look), 404)
    })
    .post('/free/confirm', (c) =>
      withLinkPages(c, look.sandbox, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const request = readRequest(deps, await readField(c, 'token'))
        if (!request) return answer(c, brokenLinkPage(look), 404)
        const client = callerInfo({ clientAddress: c.var.clientAddress, userAgent: c.req.header('user-agent') })
        return answer(c, confirmedPage(await confirmFreeEdition(deps, request, client), look))
      }),
    )
    .get('/free/embed', (c) => {
      dropDefaultHeader(c, 'X-Frame-Options')
      setDefaultHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
      const policy = linkPagePolicy("'self'").replace("frame-ancestors 'none'", 'frame-ancestors *')
      return c.html(embeddedForm(), 200, { 'Content-Security-Policy': policy, 'Cache-Control': 'public, max-age=300' })
    })
    .get('/free/styles.css', (c) => {
      dropDocumentHeaders(c)
      return c.body(freeStyles, 200, {
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'public, max-age=300, must-revalidate',
      })
    })
}

/** A text field of a form; empty for a missing one, a file or a body that isn't a form. */
async function readField(c: PageContext, name: string): Promise<string> {
  const form = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>)
  const value = form[name]
  return typeof value === 'string' ? value : ''
}

function validEmail(given: string): string | null {
  try {
    return requireEmail(given)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
