import { Hono } from 'hono'
import type { Deps } from '#server/feature.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { readGuidePage, requirePageName, verifyPageToken } from './guide-pages.ts'
import { requireGuidePageReader } from './resolve-download.ts'

type GuidePageDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock'>

/** Serves page images of guides. They are paid content; the signed token authorizes them, as browsers send no bearer token. */
export const guidePageRoutes = (deps: GuidePageDeps) =>
  new Hono<AppEnv>().get('/guide-pages/:token/:file', async (c) => {
    const { token, file } = c.req.param()
    requirePageName(file)
    const reader = verifyPageToken(deps, token)
    await requireGuidePageReader(deps, reader, file)
    return c.body(await readGuidePage(file), 200, {
      'Content-Type': 'image/webp',
      // Nothing of a view stays in the browser.
      'Cache-Control': reader.viewId ? 'no-store' : 'private, max-age=3600',
      'X-Robots-Tag': 'noindex',
    })
  })
