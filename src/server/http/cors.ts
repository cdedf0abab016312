import type { MiddlewareHandler } from 'hono'
import { cors as honoCors } from 'hono/cors'
import { words } from '#shared/domain/words.ts'
import type { AppEnv } from './principal.ts'

/**
 * Allows any origin, since the protocol's APIs use bearer tokens and no cookies. Clients on other origins need the exposed
 * version header, or they fall back to an older error format.
 */
const allowAnyOrigin = honoCors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: words(`
    authorization apikey content-type accept x-client-info x-supabase-api-version accept-profile content-profile
    prefer range x-retry-count x-region x-jwt-aud
  `),
  exposeHeaders: words(`
    X-Supabase-Api-Version X-Total-Count Link Content-Range X-Relay-Error Retry-After X-Request-Id
  `),
  maxAge: 86_400,
})

/** Adds CORS headers only if the request has an origin. */
export const cors: MiddlewareHandler<AppEnv> = (c, next) =>
  c.req.header('origin') === undefined && c.req.method !== 'OPTIONS' ? next() : allowAnyOrigin(c, next)
