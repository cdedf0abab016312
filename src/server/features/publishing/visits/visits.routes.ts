import { Hono, type MiddlewareHandler } from 'hono'
import type { Deps } from '#server/feature.ts'
import { isBotRequest } from '#server/features/publishing/deliverability/detect-bot-request.ts'
import { callerInfo } from '#server/http/caller-info.ts'
import type { AppEnv } from '#server/http/principal.ts'
import { wantsHtml } from '#server/http/serve-client-build.ts'
import { createVisitCounter } from './visit-counter.ts'
import { sourceOfVisit } from './visit-source.ts'

type CountDeps = Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'logger'>

/** Counts answered views of pages, after the answer. Browsers that ask not to be tracked (GPC) are counted without a source. */
function countVisits(deps: CountDeps): MiddlewareHandler<AppEnv> {
  const ownHost = new URL(deps.config.publicUrl).host
  const count = createVisitCounter(deps)
  return async (c, next) => {
    await next()
    const isView = c.req.method === 'GET' && [200, 304].includes(c.res.status) && wantsHtml(c.req.header('accept'))
    if (!isView || /\.[a-z]+$/.test(c.req.path)) return
    const userAgent = c.req.header('user-agent')
    const asksForPrivacy = c.req.header('sec-gpc') === '1'
    const source = asksForPrivacy
      ? null
      : sourceOfVisit(new URL(c.req.url).searchParams, c.req.header('referer'), ownHost)
    const visitor = callerInfo({ clientAddress: c.var.clientAddress, userAgent })
    count({ path: c.req.path, source, isBot: isBotRequest('GET', userAgent), visitor })
  }
}

/** The pages whose views are counted; "/drops/*" matches "/drops" too. Their routes are in other features. */
const countedPaths = ['/', '/drops/*', '/free', '/glossary', '/safety', '/method', '/about']

export function visitsRoutes(deps: Deps) {
  const routes = new Hono<AppEnv>()
  const count = countVisits(deps)
  for (const path of countedPaths) routes.use(path, count)
  return routes
}
