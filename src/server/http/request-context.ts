import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Config } from '#server/config/config.ts'
import { reportEvent } from '#server/monitoring/events.ts'
import { setDefaultHeader } from './default-header.ts'
import type { Logger } from './logger.ts'
import type { AppEnv } from './principal.ts'

type ContextDeps = { config: Pick<Config, 'trustedProxies'>; logger: Logger }

/** Slower requests are logged at info, the others at debug. */
const slowRequestMs = 1_000

/** Sets the request's id and client address, and logs it without query, headers and secrets in the path. */
export function requestContext({ config, logger }: ContextDeps): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = randomUUID()
    const startedAt = performance.now()
    c.set('requestId', requestId)
    c.set('logger', logger)
    c.set('clientAddress', clientAddress(config.trustedProxies, c.req.header('x-forwarded-for'), socketAddress(c.env)))
    setDefaultHeader(c, 'X-Request-Id', requestId)
    await next()
    const route = c.var.metricRoute ?? routePath(c)
    const { status } = c.res
    const elapsedMs = performance.now() - startedAt
    reportEvent('request', { route, method: c.req.method, status, seconds: elapsedMs / 1000 })
    const ms = Math.round(elapsedMs)
    const level = status >= 500 ? 'error' : ms > slowRequestMs ? 'info' : 'debug'
    if (logger.isLevelEnabled(level)) {
      logger[level]({ requestId, method: c.req.method, route: loggableRoute(c), status, ms }, 'request')
    }
  }
}

/** Parameters that are safe to log. Others may be secrets, such as "/downloads/:token". */
const loggableParameters = new Set([':name', ':table'])
const namedMounts = /^\/(functions|rest)\/v1\//

/** The matched route's pattern, with the name of the product call or table filled in. */
function loggableRoute(c: Context<AppEnv>): string {
  const pattern = routePath(c)
  if (!namedMounts.test(pattern)) return pattern
  const actual = c.req.path.split('/')
  return pattern
    .split('/')
    .map((part, index) => (loggableParameters.has(part) && isName(actual[index]) ? actual[index] : part))
    .join('/')
}

const isName = (part = '') => /^[\w-]{1,64}$/.test(part)

function socketAddress(bindings: Partial<AppEnv['Bindings']> | undefined): string {
  return bindings?.incoming?.socket.remoteAddress ?? '127.0.0.1'
}

/**
 * Each trusted proxy appends the address it saw, so the client's is that many entries from the right. Some proxies add the
 * port, which would make each connection a client of its own: `203.0.113.7:51234`, `[2001:db8::7]:443`.
 */
export function clientAddress(trustedProxies: number, forwardedFor: string | undefined, socket: string): string {
  const hops = trustedProxies === 0 ? [] : (forwardedFor?.split(',') ?? [])
  const seen = hops[hops.length - trustedProxies]?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  const [, v6, v4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(seen) ?? []
  return readAddress(v6 ?? v4 ?? seen) ?? readAddress(socket) ?? socket
}

/** Without the zone of a link-local address, which the database refuses. IPv4 in its own notation. */
function readAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(address) ? address : null
}
