import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FeatureDeps } from '#server/feature.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import { createIpRateLimits } from '#server/features/identity/auth/limits/ip-rate-limits.ts'
import { startDownload } from '#server/features/library/content/start-download.ts'
import { callerInfo } from '#server/http/caller-info.ts'
import { dropDefaultHeader, setDefaultHeader } from '#server/http/default-header.ts'
import type { AppEnv } from '#server/http/principal.ts'
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
  findGiftGuide,
  freeStyles,
  guidePage,
  listGiftGuides,
  listOfferings,
  signUpPage,
} from './free-pages.ts'
import { confirmFreeEdition, findReader, readRequest, requestFreeEdition } from './subscribe.ts'

type PageContext = Context<AppEnv>

/** Signing up for the free edition: pages and forms that work without a script. */
export function freeEditionRoutes(deps: FeatureDeps) {
  const { config } = deps
  const { db } = deps.database
  const limits = createIpRateLimits(deps)

  const readOffered = async () => ({ gifts: await listGiftGuides(db), offerings: await listOfferings(db) })

  const answer = (c: PageContext, page: Markup, status: ContentfulStatusCode = 200) => {
    c.header('Content-Security-Policy', linkPagePolicy("'self'"))
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-store')
    return c.html(page, status)
  }

  return new Hono<AppEnv>()
    .get('/free', async (c) => answer(c, signUpPage({}, await readOffered(), config)))
    .get('/free/guides/:id', async (c, next) => {
      const guide = await findGiftGuide(db, c.req.param('id'))
      return guide ? answer(c, guidePage(guide, {}, config)) : next()
    })
    .post('/free', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('signUp', c.var.clientAddress)
        const { email: given = '', guide: guideId } = await readFields(c)
        const guide = await findGiftGuide(db, guideId)
        const email = validEmail(given)
        if (!email) {
          const problem = 'Enter an email address such as ana@example.com.'
          const entered = { email: given.slice(0, 254), problem }
          const page = guide ? guidePage(guide, entered, config) : signUpPage(entered, await readOffered(), config)
          return answer(c, page, 422)
        }
        await requestFreeEdition(deps, email, guide?.id)
        return answer(c, checkInboxPage(email, config))
      }),
    )
    .get('/free/confirm', async (c) => {
      const token = c.req.query('token') ?? ''
      const request = readRequest(deps, token)
      if (!request) return answer(c, brokenLinkPage(config), 404)
      const guide = await findGiftGuide(db, request.guide)
      return answer(c, confirmPage({ email: request.email, token, guide }, config))
    })
    .post('/free/confirm', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const { token = '' } = await readFields(c)
        const request = readRequest(deps, token)
        if (!request) return answer(c, brokenLinkPage(config), 404)
        const client = callerInfo({ clientAddress: c.var.clientAddress, userAgent: c.req.header('user-agent') })
        const { hasAccess } = await confirmFreeEdition(deps, request, client)
        const guide = await findGiftGuide(db, request.guide)
        return answer(c, confirmedPage({ hasAccess, guide, token }, config))
      }),
    )
    .post('/free/guides/:id/download', (c) =>
      withLinkPages(c, config, async () => {
        await limits.consume('verify', c.var.clientAddress)
        const { token = '' } = await readFields(c)
        const request = readRequest(deps, token)
        const userId = request && (await findReader(db, request.email))
        const guide = await findGiftGuide(db, request?.guide)
        if (!userId || !guide) return answer(c, brokenLinkPage(config), 404)
        return c.redirect((await startDownload(deps, userId, guide.id)).url, 303)
      }),
    )
    .get('/free/embed', (c) => {
      dropDefaultHeader(c, 'X-Frame-Options')
      setDefaultHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
      const policy = linkPagePolicy("'self'").replace("frame-ancestors 'none'", 'frame-ancestors *')
      return c.html(embeddedForm(config.settings.publication), 200, {
        'Content-Security-Policy': policy,
        'Cache-Control': 'public, max-age=300',
      })
    })
    .get('/free/styles.css', (c) => {
      dropDocumentHeaders(c)
      return c.body(freeStyles, 200, {
        'Content-Type': 'text/css; charset=utf-8',
        'Cache-Control': 'public, max-age=300, must-revalidate',
      })
    })
}

/** The text fields of a form, without files; empty for a body that isn't a form. */
async function readFields(c: PageContext): Promise<Partial<Record<string, string>>> {
  const form = await c.req.parseBody().catch(() => ({}) as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function validEmail(given: string): string | null {
  try {
    return requireEmail(given)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
