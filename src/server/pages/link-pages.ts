import type { Context } from 'hono'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '#server/http/principal.ts'
import { wantsHtml } from '#server/http/serve-client-build.ts'
import { AppError, errorTable } from '#shared/errors.ts'
import { type PageConfig, pageLayout } from './page-layout.ts'

/** Returns true if the client is a browser. Programs that follow links don't request HTML. */
export const isNavigation = (c: Context<AppEnv>) => wantsHtml(c.req.header('accept'))

/**
 * Content security policy of these pages: their stylesheet, fonts, pictures and sounds. `formAction` limits where the form can submit.
 */
export const linkPagePolicy = (formAction = "'none'") =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `form-action ${formAction}`,
    "media-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

type LinkPage = { title: string; lead: string; actions?: readonly { label: string; href: string }[] }

const asPage = ({ title, lead, actions = [] }: LinkPage, config: PageConfig) =>
  pageLayout({
    title,
    shape: 'column',
    config,
    main: [
      html`<h1>${title}</h1>
        <p class="lead">${lead}</p>`,
      actions.length > 0
        ? html`<div class="actions">
            ${actions.map(
              ({ label, href }, index) =>
                html`<a class="${index === 0 ? 'button' : 'button secondary'}" href="${href}">${label}</a>`,
            )}
          </div>`
        : html``,
    ],
  })

/** Responds to an emailed link with a page that says what happened and what to do next. */
export function answerLinkPage(
  c: Context<AppEnv>,
  page: LinkPage,
  { config, status = 200 }: { config: PageConfig; status?: ContentfulStatusCode },
) {
  c.header('Content-Security-Policy', linkPagePolicy())
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cache-Control', 'no-store')
  return c.html(asPage(page, config), status)
}

const home = { label: 'Go to the home page', href: '/' }

/** Errors that the user can fix, as pages. */
const refusals: Readonly<Record<string, LinkPage>> = {
  validation_failed: {
    title: 'This link isn’t complete',
    lead: 'Part of it is missing. Open it from the email again, or copy the entire link.',
    actions: [{ label: 'Sign in', href: '/auth' }, home],
  },
  not_found: {
    title: 'This link doesn’t work',
    lead: 'Part of it is missing. Open it from the email again, or copy the entire link.',
    actions: [home],
  },
  over_request_rate_limit: {
    title: 'Too many attempts',
    lead: 'Wait a few minutes, then open the link from the email again. Nothing was changed.',
  },
}
const unknownRefusal: LinkPage = {
  title: 'This didn’t work',
  lead: 'Something went wrong on our end, and nothing was changed. Open the link from the email again in a moment.',
  actions: [home],
}

/** Runs the handler of an emailed link. Browsers get errors as pages, other clients in the API's format. */
export async function withLinkPages(
  c: Context<AppEnv>,
  config: PageConfig,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (!isNavigation(c)) throw error
    if (error instanceof AppError) {
      const page = refusals[error.code] ?? { ...unknownRefusal, lead: `${error.message}. Nothing was changed.` }
      return answerLinkPage(c, page, { config, status: error.status as ContentfulStatusCode })
    }
    c.var.logger.error({ err: error, requestId: c.var.requestId }, 'unexpected failure')
    const [status] = errorTable.unexpected_failure
    return answerLinkPage(c, unknownRefusal, { config, status })
  }
}
