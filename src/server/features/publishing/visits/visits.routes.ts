import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { countVisits } from './count-visits.ts'

/** The pages whose views are counted; "/drops/*" matches "/drops" too. Their routes are in other features. */
const countedPaths = ['/', '/drops/*', '/free', '/glossary', '/safety', '/method', '/about']

export function visitsRoutes(deps: Deps) {
  const routes = new Hono<AppEnv>()
  const count = countVisits(deps)
  for (const path of countedPaths) routes.use(path, count)
  return routes
}
