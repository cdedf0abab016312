import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { answerLinkPage, isNavigation, withLinkPages } from '#server/pages/link-pages.ts'
import { AppError } from '#shared/errors.ts'
import { type UnsubscribeDeps, unsubscribeAtOnce } from './unsubscribe.ts'

/**
 * RFC 8058: the mail program posts what the header says, with no cookie and no person. A GET, as a scanner sends to every
 * address in a mail, changes nothing and leads to the page that asks. Some programs show their reader the answer, and
 * a browser may post the form again: both get a page.
 */
export function unsubscribeRoutes(deps: UnsubscribeDeps) {
  const sandbox = deps.config.mode === 'sandbox'
  const unsubscribe = async (c: Context<AppEnv>, token: string) => {
    if (!(await saysOneClick(c))) {
      throw new AppError('validation_failed', { message: 'The body must say List-Unsubscribe=One-Click' })
    }
    await unsubscribeAtOnce(deps, token)
    return isNavigation(c)
      ? answerLinkPage(c, unsubscribedPage(token), { sandbox })
      : c.text('You are unsubscribed.\n', 200, { 'Cache-Control': 'no-store' })
  }
  return new Hono<AppEnv>()
    .post('/unsubscribe/one-click/:token', (c) => withLinkPages(c, sandbox, () => unsubscribe(c, c.req.param('token'))))
    .get('/unsubscribe/one-click/:token', (c) =>
      c.redirect(`/unsubscribe?token=${encodeURIComponent(c.req.param('token'))}`, 303),
    )
    .all('/unsubscribe/one-click/*', (c) =>
      withLinkPages(c, sandbox, () => {
        throw new AppError(c.req.method === 'GET' ? 'not_found' : 'method_not_allowed')
      }),
    )
}

const unsubscribedPage = (token: string) => ({
  title: 'You’re unsubscribed',
  lead: 'These emails won’t come anymore. Emails about your account and payments still do.',
  actions: [{ label: 'Change what you get', href: `/unsubscribe?token=${encodeURIComponent(token)}` }],
})

/** As a form of either kind, which is what the RFC allows. Anything else in it is nobody's business. */
async function saysOneClick(c: Context<AppEnv>): Promise<boolean> {
  try {
    const form = await new Response(await c.req.arrayBuffer(), {
      headers: { 'Content-Type': c.req.header('content-type') ?? '' },
    }).formData()
    return form.get('List-Unsubscribe') === 'One-Click'
  } catch {
    return false
  }
}
