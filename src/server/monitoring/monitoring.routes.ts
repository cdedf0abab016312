import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { MonitoringConfig } from '#server/config/env-schemas.ts'
import type { AppEnv } from '#server/http/principal.ts'
import type { Metrics } from './prometheus.ts'
import type { Readiness } from './readiness.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns true if the header has the token, compared in constant time. */
function hasToken(token: string, authorization: string | undefined): boolean {
  const [scheme = '', given = ''] = authorization?.split(' ') ?? []
  return timingSafeEqual(digest(given), digest(token)) && scheme.toLowerCase() === 'bearer'
}

type MonitoringSources = { metrics: Metrics | null; readReadiness: () => Promise<Readiness> }

/** `/healthz` and `/readyz`, and `/metrics` if only a token is set. */
export function monitoringRoutes({ token, listen }: MonitoringConfig, { metrics, readReadiness }: MonitoringSources) {
  const routes = new Hono<AppEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', (c) => serveReadiness(c, token !== null && isOperator(c, token), readReadiness))
  if (metrics && token && !listen) routes.get('/metrics', (c) => serveMetrics(c, token, metrics))
  return routes
}

/** Routes of the monitoring port. Without a token, everyone who reaches the port may read them. */
export const monitoringApp = (
  { token }: MonitoringConfig,
  { metrics, readReadiness }: MonitoringSources & { metrics: Metrics },
): Hono<AppEnv> =>
  new Hono<AppEnv>()
    .get('/readyz', (c) => serveReadiness(c, token === null || isOperator(c, token), readReadiness))
    .get('/metrics', (c) => serveMetrics(c, token, metrics))

const isOperator = (c: Context<AppEnv>, token: string) => hasToken(token, c.req.header('authorization'))

async function serveReadiness(c: Context<AppEnv>, withParts: boolean, readReadiness: () => Promise<Readiness>) {
  const { status, parts } = await readReadiness()
  c.header('Cache-Control', 'no-store')
  return c.json(withParts ? { status, ...parts } : { status }, status === 'unavailable' ? 503 : 200)
}

async function serveMetrics(c: Context<AppEnv>, token: string | null, metrics: Metrics): Promise<Response> {
  c.header('Cache-Control', 'no-store')
  if (token && !isOperator(c, token)) {
    c.header('WWW-Authenticate', 'Bearer')
    return c.text('This needs the monitoring token.\n', 401)
  }
  return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType })
}
