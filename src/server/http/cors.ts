import { cors as honoCors } from 'hono/cors'

/**
 * The protocol mounts answer any origin: they read a bearer, never a cookie that carries a right. Without the exposed
 * version header a client on another origin falls back to the older error format.
 */
export const cors = honoCors({
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
