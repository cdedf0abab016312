import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/principal.ts'
import { answerLinkPage, isNavigation, withLinkPages } from '#server/pages/link-pages.ts'
import { AppError } from '#shared/errors.ts'
import { type UnsubscribeDeps, unsubscribeOneClick } from './unsubscribe.ts'

/**
 * One-click unsubscribe of RFC 8058: email clients POST without cookies. The token decides and the body isn't read, because
 * some clients send none or another content type. A GET, such as a link scanner’s, changes nothing and redirects to the
 * unsubscribe page. A POST from a browser gets an HTML page.
 */
export function unsubscribeRoutes(deps: UnsubscribeDeps) {
  const { config } = deps
  const unsubscribe = async (c: Context<AppEnv>, token: string) => {
    await unsubscribeOneClick(deps, token)
    return isNavigation(c)
      ? answerLinkPage(c, unsubscribedPage(token), { config })
      : c.text('You are unsubscribed.\n', 200, { 'Cache-Control': 'no-store' })
  }
  return new Hono<AppEnv>()
    .post('/unsubscribe/one-click/:token', (c) => withLinkPages(c, config, () => unsubscribe(c, c.req.param('token'))))
    .get('/unsubscribe/one-click/:token', (c) =>
      c.redirect(`/unsubscribe?token=${encodeURIComponent(c.req.param('token'))}`, 303),
    )
    .all('/unsubscribe/one-click/*', (c) =>
      withLinkPages(c, config, () => {
        throw new AppError(c.req.method === 'GET' ? 'not_found' : 'method_not_allowed')
      }),
    )
}

const unsubscribedPage = (token: string) => ({
  title: 'You’re unsubscribed',
  lead: 'You won’t receive these emails anymore. You still get emails about your account and payments.',
  actions: [{ label: 'Manage email preferences', href: `/unsubscribe?token=${encodeURIComponent(token)}` }],
})
