import type { MiddlewareHandler } from 'hono'
import { cors as honoCors } from 'hono/cors'
import type { AppEnv } from './app-env.ts'

/**
 * The protocol mounts answer any origin: they read a bearer, never a cookie that carries a right. Without the exposed
 * version header a client on another origin falls back to the older error format.
 */
const answerOrigin = honoCors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: [
    'authorization',
    'apikey',
    'content-type',
    'accept',
    'x-client-info',
    'x-supabase-api-version',
    'accept-profile',
    'content-profile',
    'prefer',
    'range',
    'x-retry-count',
    'x-region',
    'x-jwt-aud',
  ],
  exposeHeaders: [
    'X-Supabase-Api-Version',
    'X-Total-Count',
    'Link',
    'Content-Range',
    'X-Relay-Error',
    'Retry-After',
    'X-Request-Id',
  ],
  maxAge: 86_400,
})

/** Requests that name no origin come from no browser page and need no answer to that. */
export const cors: MiddlewareHandler<AppEnv> = (c, next) =>
  c.req.header('origin') === undefined && c.req.method !== 'OPTIONS' ? next() : answerOrigin(c, next)
