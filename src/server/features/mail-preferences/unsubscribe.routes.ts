import { type Context, Hono } from 'hono'
import type { AppEnv } from '#server/http/app-env.ts'
import { AppError } from '#shared/errors.ts'
import { type UnsubscribeDeps, unsubscribeAtOnce } from './unsubscribe.ts'

/**
 * RFC 8058: the mail program posts what the header says, with no cookie and no person. A GET, as a scanner sends to every
 * address in a mail, changes nothing and leads to the page that asks.
 */
export const unsubscribeRoutes = (deps: UnsubscribeDeps) =>
  new Hono<AppEnv>()
    .post('/unsubscribe/one-click/:token', async (c) => {
      if (!(await saysOneClick(c))) {
        throw new AppError('validation_failed', { message: 'The body must say List-Unsubscribe=One-Click' })
      }
      await unsubscribeAtOnce(deps, c.req.param('token'))
      return c.text('You are unsubscribed.\n', 200, { 'Cache-Control': 'no-store' })
    })
    .get('/unsubscribe/one-click/:token', (c) =>
      c.redirect(`/unsubscribe?token=${encodeURIComponent(c.req.param('token'))}`, 303),
    )
    .all('/unsubscribe/one-click/*', (c) => {
      throw new AppError(c.req.method === 'GET' ? 'not_found' : 'method_not_allowed')
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
