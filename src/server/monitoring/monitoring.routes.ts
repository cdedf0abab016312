import { type Context, Hono } from 'hono'
import type { MonitoringConfig } from '#server/config/monitoring.ts'
import type { AppEnv } from '#server/http/app-env.ts'
import { hasToken } from './monitoring-token.ts'
import type { Metrics } from './prometheus.ts'

/** `/metrics` on the main port, if only a token is set. */
export function metricsRoutes({ token, listen }: MonitoringConfig, metrics: Metrics | null): Hono<AppEnv> {
  const routes = new Hono<AppEnv>()
  if (!metrics || !token || listen) return routes
  return routes.get('/metrics', (c) => serveMetrics(c, token, metrics))
}

/** What the port for monitoring serves. Without a token, everyone who reaches the port may read it. */
export const monitoringApp = ({ token }: MonitoringConfig, metrics: Metrics): Hono<AppEnv> =>
  new Hono<AppEnv>().get('/metrics', (c) => serveMetrics(c, token, metrics))

async function serveMetrics(c: Context<AppEnv>, token: string | null, metrics: Metrics): Promise<Response> {
  c.header('Cache-Control', 'no-store')
  if (token && !hasToken(token, c.req.header('authorization'))) {
    c.header('WWW-Authenticate', 'Bearer')
    return c.text('This needs the monitoring token.\n', 401)
  }
  return c.body(await metrics.read(), 200, { 'Content-Type': metrics.contentType })
}
