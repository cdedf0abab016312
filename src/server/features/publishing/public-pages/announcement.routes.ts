import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { dismissedCookie, dismissPath } from '#shared/domain/announcement-bar.ts'

const maxAgeSeconds = 365 * 24 * 60 * 60

/** Dismisses the announcement where no script does, and returns to the page. */
export const announcementRoutes = ({ config }: Pick<Deps, 'config'>) =>
  new Hono<AppEnv>().post(dismissPath, async (c) => {
    const { id, back } = await c.req.parseBody()
    if (typeof id === 'string' && /^[\w-]{1,40}$/.test(id)) {
      const secure = config.mode === 'production'
      // Scripts read it to hide the bar.
      setCookie(c, dismissedCookie, id, { path: '/', sameSite: 'Lax', maxAge: maxAgeSeconds, secure, httpOnly: false })
    }
    const isPath = typeof back === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(back)
    return c.redirect(isPath ? back : '/', 303)
  })
